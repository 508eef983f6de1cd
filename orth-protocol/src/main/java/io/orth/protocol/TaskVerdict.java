package io.orth.protocol;

import java.util.Arrays;
import java.util.Locale;

/** An admin's response to a report about a task. */
public enum TaskVerdict {
    RECORDED,
    /** Recorded before, in this attempt or an earlier one. */
    KNOWN,
    /** The task has reached the maximum number of records. */
    FULL,
    /** The task is at another attempt, on another executor, or finished: nothing was recorded. */
    STALE,
    /** The task was cancelled: nothing was recorded, and its handler must stop. */
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
