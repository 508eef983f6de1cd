package io.orth.admin.triggering;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import io.orth.protocol.KillRequest;
import io.orth.protocol.KnownRuns;
import java.io.IOException;
import java.util.List;

/** Ends single attempts at messages, as far as their executor has them. Its result is what ends them. */
public final class AttemptKiller {

    /** What an executor said. */
    public enum Told {
        /** It has the attempt, or has just ended it: its result follows. */
        ENDING,
        /** It does not have it. */
        UNKNOWN,
        /** There is no such executor any more. */
        GONE
    }

    private final Executors executors;
    private final ExecutorGateway gateway;

    AttemptKiller(Executors executors, ExecutorGateway gateway) {
        this.executors = executors;
        this.gateway = gateway;
    }

    /** @param reason becomes part of the result */
    public Told kill(long executorId, long logId, String reason) throws InterruptedException {
        List<Target> targets = executors.targets(List.of(executorId));
        if (targets.isEmpty()) {
            return Told.GONE;
        }
        Target target = targets.get(0);
        try {
            KnownRuns known = gateway.kill(target, new KillRequest(List.of(logId), reason));
            return known.runs().isEmpty() ? Told.UNKNOWN : Told.ENDING;
        } catch (IOException e) {
            throw OrthException.of(
                    ErrorCode.EXECUTOR_UNREACHABLE,
                    "%s cannot be told to end it: %s".formatted(target.address(), e.getMessage()));
        }
    }
}
