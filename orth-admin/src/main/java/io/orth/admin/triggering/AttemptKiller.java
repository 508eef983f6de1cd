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

/** Ends single attempts at messages, as far as their executor has them. Its result is what ends them. */
@Component
public final class AttemptKiller {

    /** What an executor said. */
    public enum Told {
        /** It has the attempt and ends it: its result follows. */
        ENDING,
        /** It has finished the attempt, and its result is on its way. */
        REPORTING,
        /** It has finished the attempt, and an admin has confirmed the result: none will follow. */
        FINISHED,
        /** It does not have it. */
        UNKNOWN,
        /** There is no such executor any more. */
        GONE
    }

    /** @param known null where the executor does not have the attempt */
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
