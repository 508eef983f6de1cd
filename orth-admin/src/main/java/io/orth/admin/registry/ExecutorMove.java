package io.orth.admin.registry;

import io.orth.admin.kernel.Move;
import java.time.Instant;

/** Status transition requested for one executor. A heartbeat after {@code lastBeatAt} voids it, unless {@code lastBeatAt} is null. */
record ExecutorMove(long id, ExecutorStatus from, ExecutorStatus to, Reason reason, Instant lastBeatAt)
        implements Move<ExecutorStatus> {

    /** Cause of an executor's status transition. */
    enum Reason {
        REGISTERED,
        RETURNED,
        LEFT,
        SILENT,
        REPLACED
    }
}
