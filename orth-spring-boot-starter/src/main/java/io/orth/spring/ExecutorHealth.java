package io.orth.spring;

import io.orth.executor.ExecutorStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of the executor, independent of the Spring Boot version.
 *
 * <p>It is DOWN only if the executor cannot work and will not recover by itself: before it has started and once it stops. While
 * no admin acknowledges its heartbeats, it is UNKNOWN, not DOWN: the application itself is healthy. Restarting it or removing it
 * from a load balancer because of another machine would only make matters worse.
 */
record ExecutorHealth(Verdict verdict, Map<String, Object> details) {

    enum Verdict {
        UP,
        UNKNOWN,
        DOWN
    }

    static ExecutorHealth of(OrthExecutorLifecycle.State state, ExecutorStatus status) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", nameOf(state, status));
        details.put("registered", status.registered());
        details.put(
                "lastAcknowledgedBeat",
                status.sinceLastBeat() == null
                        ? "never"
                        : "%d ms ago".formatted(status.sinceLastBeat().toMillis()));
        details.put("running", status.running());
        details.put("queued", status.queued());
        details.put("unsentResults", status.unsentResults());
        details.put("leakedThreads", status.leakedThreads());
        return new ExecutorHealth(verdictOn(state, status), details);
    }

    private static Verdict verdictOn(OrthExecutorLifecycle.State state, ExecutorStatus status) {
        if (state != OrthExecutorLifecycle.State.RUNNING) {
            return Verdict.DOWN;
        }
        return status.draining() || isInTouch(status) ? Verdict.UP : Verdict.UNKNOWN;
    }

    /** A single missed heartbeat is harmless; an admin of another kind accepts one every 30 s. */
    private static boolean isInTouch(ExecutorStatus status) {
        return status.registered()
                || (status.sinceLastBeat() != null && status.sinceLastBeat().compareTo(status.heartbeatTimeout()) < 0);
    }

    private static String nameOf(OrthExecutorLifecycle.State state, ExecutorStatus status) {
        return switch (state) {
            case NEW -> "not started";
            case RUNNING -> status.draining() ? "draining" : "running";
            case STOPPING -> "stopping";
            case STOPPED -> "stopped";
        };
    }
}
