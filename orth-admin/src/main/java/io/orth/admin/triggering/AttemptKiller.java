package io.orth.admin.triggering;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import io.orth.protocol.KillRequest;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import java.io.IOException;
import java.util.List;
import org.springframework.stereotype.Component;

/** Kills single attempts at messages on their executors. The attempt ends with the result that the executor reports. */
@Component
public final class AttemptKiller {

    /** Response of an executor. */
    public enum Told {
        /** The executor has the attempt and is ending it; the result follows. */
        ENDING,
        /** The executor has finished the attempt; the result is on its way. */
        REPORTING,
        /** The executor has finished the attempt and an admin has confirmed the result; no result follows. */
        FINISHED,
        /** The executor does not have the attempt. */
        UNKNOWN,
        /** The executor no longer exists. */
        GONE
    }

    /** @param known null if the executor does not have the attempt */
    public record Response(Told told, Known known) {}

    private final Executors executors;
    private final ExecutorGateway gateway;

    AttemptKiller(Executors executors, ExecutorGateway gateway) {
        this.executors = executors;
        this.gateway = gateway;
    }

    /** @param reason becomes part of the result */
    public Response kill(long executorId, long logId, String reason) throws InterruptedException {
        List<Target> targets = executors.targets(List.of(executorId));
        if (targets.isEmpty()) {
            return new Response(Told.GONE, null);
        }
        Target target = targets.get(0);
        try {
            KnownRuns known = gateway.kill(target, new KillRequest(List.of(logId), reason));
            return known.runs().stream()
                    .findFirst()
                    .map(AttemptKiller::responseOf)
                    .orElse(new Response(Told.UNKNOWN, null));
        } catch (IOException e) {
            throw OrthException.of(
                    ErrorCode.EXECUTOR_UNREACHABLE,
                    "%s cannot be told to end it: %s".formatted(target.address(), e.getMessage()));
        }
    }

    private static Response responseOf(Known known) {
        if (known.state() != State.FINISHED) {
            return new Response(Told.ENDING, known);
        }
        return new Response(known.unsent() ? Told.REPORTING : Told.FINISHED, known);
    }
}
