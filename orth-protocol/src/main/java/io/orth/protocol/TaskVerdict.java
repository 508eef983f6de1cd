package io.orth.protocol;

import java.util.Arrays;
import java.util.Locale;

/** What an admin says to something about a task. */
public enum TaskVerdict {
    RECORDED,
    /** The task had recorded it before, in this attempt or an earlier one. */
    KNOWN,
    /** The task has recorded as many as it may. */
    FULL,
    /** The task is at another attempt, with somebody else, or over: nothing was recorded. */
    STALE,
    /** The task was cancelled: nothing was recorded, and its handler is to stop. */
    CANCELLED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static TaskVerdict from(JsonObject json) {
        String name = json.requiredText("verdict");
        return Arrays.stream(values())
                .filter(verdict -> verdict.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> new WireFormatException("'verdict' is '%s', which nobody knows".formatted(name)));
    }
}
