package io.orth.admin.run;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import io.orth.protocol.Codes;
import java.util.Map;
import java.util.Set;

/** Status of a run. The tables below are the complete state machine. */
public enum RunStatus implements Status<RunStatus> {
    /** Created, not yet accepted by an executor. */
    @Rescue(
            by = "unsent-run-rescuer",
            when = "its admin stopped before sending it, or the response of its executor was lost",
            after = "orth.triggering.claim (10 s)")
    @Rescue(
            by = "turn-keeper",
            when = "it waits for the previous run, and the admin that finished that run stopped",
            after = "orth.triggering.rescue-every (1 s)")
    @Rescue(
            by = "run-killer",
            when = "a kill was requested before it was sent, and the admin that received the request stopped",
            after = "5 s")
    INIT,
    /** Accepted by an executor; the result is awaited. */
    @Rescue(
            by = "lost-run-detector",
            when = "its executor is offline or dead",
            after =
                    "orth.registry.heartbeat-timeout (15 s) and a failed probe; orth.registry.deregistration-grace-period (20 s) if it deregistered")
    @Rescue(
            by = "lost-work-detector",
            when = "its executor is online and has finished it or does not know it",
            after = "two rounds of orth.registry.verify-interval (30 s), for work older than two intervals")
    @Rescue(
            by = "lost-work-detector",
            when = "its executor is online and cannot be queried",
            after = "orth.registry.verify-timeout (7 d)")
    @Rescue(
            by = "foreign-lost-run-detector",
            when = "its XXL-JOB executor is offline or dead, is idle, or reports no result",
            after = "orth.xxl-job.lost-after (10 min), at most orth.xxl-job.longest-run (7 d)")
    PENDING,
    SUCCESS,
    FAILED,
    /** The handler exceeded the executor's timeout. */
    TIMEOUT,
    /** No executor accepted the run. */
    TRIGGER_FAILED,
    /** The job was busy and its block strategy skips runs in that case. */
    SKIPPED;

    private static final Map<RunStatus, Set<RunStatus>> NEXT =
            Map.of(INIT, Set.of(PENDING, TRIGGER_FAILED, SKIPPED), PENDING, Set.of(SUCCESS, FAILED, TIMEOUT));

    /** Only for runs declared lost, by their own late result. */
    private static final Map<RunStatus, Set<RunStatus>> CORRECTIONS = Map.of(FAILED, Set.of(SUCCESS, FAILED, TIMEOUT));

    @Override
    public Set<RunStatus> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    @Override
    public Set<RunStatus> corrections() {
        return CORRECTIONS.getOrDefault(this, Set.of());
    }

    /** Returns the status for a result's code. */
    static RunStatus ofResult(int handleCode) {
        return switch (handleCode) {
            case Codes.SUCCESS -> SUCCESS;
            case Codes.TIMEOUT -> TIMEOUT;
            default -> FAILED;
        };
    }
}
