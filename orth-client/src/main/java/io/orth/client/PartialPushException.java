package io.orth.client;

import java.util.List;

/** Thrown if a bulk push failed after some of its requests had succeeded. Messages after the failed request were not sent. */
public final class PartialPushException extends OrthClientException {

    private static final long serialVersionUID = 1L;

    private final List<Pushed> pushed;
    private final int failedTo;

    PartialPushException(List<Pushed> pushed, int failedTo, OrthClientException cause) {
        super(
                cause.status(),
                cause.code(),
                "messages %d to %d were not pushed, and none behind them: %s"
                        .formatted(pushed.size(), failedTo - 1, cause.getMessage()),
                cause.fields(),
                cause.traceId(),
                cause);
        this.pushed = List.copyOf(pushed);
        this.failedTo = failedTo;
    }

    /** Returns the results of the messages before the failed request, in their order. */
    public List<Pushed> pushed() {
        return pushed;
    }

    /** Returns the index of the first message of the failed request, from 0; all messages before it were pushed. */
    public int failedFrom() {
        return pushed.size();
    }

    /** Returns the index of the first message after the failed request; this and later messages were not sent. */
    public int failedTo() {
        return failedTo;
    }
}
