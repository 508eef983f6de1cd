package io.orth.executor;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations: {@code 30s}, {@code 500ms}, ISO 8601 such as {@code PT30S}, or a number of milliseconds. */
final class DurationText {

    private static final Pattern SIMPLE = Pattern.compile("(\\d{1,15})\\s*(ms|s|m|h|d)?");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    private DurationText() {}

    /** @throws IllegalArgumentException with a message that quotes the text and continues a sentence that names its source */
    static Duration parse(String text) {
        String stripped = text.strip();
        Matcher simple = SIMPLE.matcher(stripped);
        try {
            if (simple.matches()) {
                Duration unit = UNITS.get(simple.group(2) == null ? "ms" : simple.group(2));
                return unit.multipliedBy(Long.parseLong(simple.group(1)));
            }
            return Duration.parse(stripped);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("'%s' is no duration such as 30s, 5m or PT30S".formatted(text), e);
        }
    }
}
