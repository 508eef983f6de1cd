package io.orth.admin.job;

import java.time.Instant;

/**
 * Planned fires that did not become runs, as the ledger keeps them.
 *
 * @param last the last of them; null while the stretch goes on
 * @param fires how many; null while it goes on and where they cannot be counted
 * @param more whether there were more than were counted
 * @param decidedAt when the stretch began to be written down
 */
public record Decision(
        long id,
        int jobId,
        String jobName,
        DecisionReason reason,
        Instant first,
        Instant last,
        Integer fires,
        boolean more,
        Instant decidedAt) {}
