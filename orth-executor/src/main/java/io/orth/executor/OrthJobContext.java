package io.orth.executor;

import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import java.time.Instant;
import java.util.Optional;

/**
 * What a run is about. Inherited by threads that the handler starts; see {@link OrthJobHelper#wrap} for pools.
 *
 * @param jobId the job that runs
 * @param param what the job or the trigger passes to the handler, never null
 * @param logId this run
 * @param scheduleTime the planned instant; null when triggered by hand
 * @param triggerTime when the admin triggered it
 * @param shardIndex 0 when not sharding
 * @param shardTotal 1 when not sharding
 * @param traceId follows the work across processes; null when the admin sent none
 */
public record OrthJobContext(
        int jobId,
        String param,
        long logId,
        Instant scheduleTime,
        Instant triggerTime,
        int shardIndex,
        int shardTotal,
        String traceId) {

    /** The run the calling thread works for, if any. */
    public static Optional<OrthJobContext> current() {
        return CurrentRun.find().map(RunScope::context);
    }
}
