package io.orth.admin.registry;

import io.orth.admin.kernel.Move;
import java.time.Instant;

/** A status change wanted for one executor. A heartbeat after {@code lastBeatAt} makes it void; null: none does. */
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
