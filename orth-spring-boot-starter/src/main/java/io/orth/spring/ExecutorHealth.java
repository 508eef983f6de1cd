package io.orth.spring;

import io.orth.executor.ExecutorStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the health endpoint says about the executor, whichever Spring Boot asks.
 *
 * <p>It is down only when it cannot work and will not by itself: before it has started and once it stops. While no admin
 * acknowledges its beats nobody can say whether it is needed elsewhere: that is unknown, not down, since this application is
 * well, and restarting it or taking it out of a load balancer because of another machine would only make things worse.
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

    /** One missed beat is nothing; a foreign admin is content with one in 30 seconds. */
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
