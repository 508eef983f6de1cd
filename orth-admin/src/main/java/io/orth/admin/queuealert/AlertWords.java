package io.orth.admin.queuealert;

import java.time.Duration;

/** Formatting of numbers and durations in alert texts. */
final class AlertWords {

    private static final long MINUTE = 60;
    private static final long HOUR = 3_600;
    private static final long DAY = 86_400;

    private AlertWords() {}

    static String messagesWait(long messages) {
        return messages == 1 ? "1 message waits" : "%d messages wait".formatted(messages);
    }

    /** Formats a duration in the largest unit that gives at least 2. */
    static String time(Duration time) {
        long seconds = time.toSeconds();
        if (seconds < 2 * MINUTE) {
            return "%d s".formatted(seconds);
        }
        if (seconds < 2 * HOUR) {
            return "%d min".formatted(seconds / MINUTE);
        }
        return seconds < 2 * DAY ? "%d h".formatted(seconds / HOUR) : "%d days".formatted(seconds / DAY);
    }
}
