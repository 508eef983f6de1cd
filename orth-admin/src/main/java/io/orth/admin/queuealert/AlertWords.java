package io.orth.admin.queuealert;

import java.time.Duration;

/** Numbers and times in the texts of alerts. */
final class AlertWords {

    private static final long MINUTE = 60;
    private static final long HOUR = 3_600;
    private static final long DAY = 86_400;

    private AlertWords() {}

    static String messagesWait(long messages) {
        return messages == 1 ? "1 message waits" : "%d messages wait".formatted(messages);
    }

    /** In the largest unit of which there are two. */
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
