package io.orth.admin.run;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import io.orth.protocol.Codes;
import java.util.Map;
import java.util.Set;

/** Where a run stands. The tables below are the whole state machine; nothing else decides what may follow what. */
public enum RunStatus implements Status<RunStatus> {
    /** Recorded, not yet accepted by an executor. */
    @Rescue(
            by = "unsent-run-rescuer",
            when = "its admin stopped before it was sent, or the response of its executor was lost",
            after = "orth.triggering.claim (10 s)")
    @Rescue(
            by = "turn-keeper",
            when = "it waits for its turn and the admin on which the run before it ended has stopped",
            after = "orth.triggering.rescue-every (1 s)")
    @Rescue(
            by = "run-killer",
            when = "a kill was requested before it was sent, and the admin that took the request stopped",
            after = "5 s")
    INIT,
    /** Accepted by an executor; its result is awaited. */
    @Rescue(
            by = "lost-run-detector",
            when = "its executor is gone",
            after =
                    "orth.registry.heartbeat-timeout (15 s) and a failed probe; orth.registry.deregistration-grace-period (20 s) if it deregistered")
    @Rescue(
            by = "lost-work-detector",
            when = "its executor is online and has finished it, or does not have it",
            after = "two rounds of orth.registry.verify-interval (30 s), for work older than two intervals")
    @Rescue(
            by = "lost-work-detector",
            when = "its executor is online and cannot be asked",
            after = "orth.registry.verify-timeout (7 d)")
    @Rescue(
            by = "foreign-lost-run-detector",
            when = "its XXL-JOB executor is gone, idle or silent about it",
            after = "orth.xxl-job.lost-after (10 min), at the latest orth.xxl-job.longest-run (7 d)")
    PENDING,
    SUCCESS,
    FAILED,
    /** The executor gave up waiting for the handler. */
    TIMEOUT,
    /** No executor accepted the run. */
    TRIGGER_FAILED,
    /** Its job was busy, and the job's block strategy is to skip runs then. */
    SKIPPED;

    private static final Map<RunStatus, Set<RunStatus>> NEXT =
            Map.of(INIT, Set.of(PENDING, TRIGGER_FAILED, SKIPPED), PENDING, Set.of(SUCCESS, FAILED, TIMEOUT));

    /** Of those judged lost only, by their own late result. */
    private static final Map<RunStatus, Set<RunStatus>> CORRECTIONS = Map.of(FAILED, Set.of(SUCCESS, FAILED, TIMEOUT));

    @Override
    public Set<RunStatus> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    @Override
    public Set<RunStatus> corrections() {
        return CORRECTIONS.getOrDefault(this, Set.of());
    }

    /** The status that a result's code means. */
    static RunStatus ofResult(int handleCode) {
        return switch (handleCode) {
            case Codes.SUCCESS -> SUCCESS;
            case Codes.TIMEOUT -> TIMEOUT;
            default -> FAILED;
        };
    }
}
