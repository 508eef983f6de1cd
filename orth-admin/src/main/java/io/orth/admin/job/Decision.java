package io.orth.admin.job;

import java.time.Instant;

/**
 * A range of skipped fires, as stored in the ledger.
 *
 * @param last the last skipped fire time; null while the range is open
 * @param fires the number of skipped fires; null while the range is open or if it cannot be counted
 * @param more whether there were more fires than were counted
 * @param decidedAt when the range was first recorded
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
