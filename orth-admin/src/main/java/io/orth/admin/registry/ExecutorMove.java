package io.orth.admin.registry;

import io.orth.admin.kernel.Move;
import java.time.Instant;

/**
 * A status change wanted for one executor.
 *
 * @param lastBeatAt the beat the change was decided on: one that arrived since makes it void. Null: whatever it was
 */
record ExecutorMove(long id, ExecutorStatus from, ExecutorStatus to, Reason reason, Instant lastBeatAt)
        implements Move<ExecutorStatus> {

    /** Why an executor's status changes. */
    enum Reason {
        REGISTERED,
        RETURNED,
        LEFT,
        SILENT,
        REPLACED
    }
}
