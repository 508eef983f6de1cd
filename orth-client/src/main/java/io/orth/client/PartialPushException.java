package io.orth.client;

import java.util.List;

/** Some of many messages were pushed; then a part failed, and those behind it were not tried. */
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

    /** Those before the part that failed, in their order. */
    public List<Pushed> pushed() {
        return pushed;
    }

    /** The first message of the part that failed, counted from 0; everything before it was pushed. */
    public int failedFrom() {
        return pushed.size();
    }

    /** The first message behind the part that failed; it and those behind it were not tried. */
    public int failedTo() {
        return failedTo;
    }
}
