package io.orth.admin.run;

import io.orth.admin.kernel.Status;
import io.orth.protocol.Codes;
import java.util.Map;
import java.util.Set;

/** Where a run stands. The tables below are the whole state machine; nothing else decides what may follow what. */
public enum RunStatus implements Status<RunStatus> {
    /** Recorded, not yet accepted by an executor. */
    INIT,
    /** Accepted by an executor; its result is awaited. */
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
    public boolean isInitial() {
        return this == INIT;
    }

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
