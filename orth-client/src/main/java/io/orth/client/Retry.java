package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** How long after a failed attempt the next one follows: {@code first × factor^(attempt − 1)}, at most {@code most}. */
public record Retry(Duration first, double factor, Duration most) {

    private static final Duration LONGEST = Duration.ofDays(30);
    private static final double STEEPEST = 100;

    public Retry {
        Checks.that(!first.isNegative() && first.compareTo(LONGEST) <= 0, "retry.first must be between 0 and 30 days");
        Checks.that(factor >= 1 && factor <= STEEPEST, "retry.factor must be between 1 and 100");
        Checks.that(
                most.compareTo(first) >= 0 && most.compareTo(LONGEST) <= 0,
                "retry.most must be between the first delay and 30 days");
    }

    /** Always after the same time. */
    public static Retry every(Duration delay) {
        return new Retry(delay, 1, delay);
    }

    Map<String, Object> toBody() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("first", first.toString());
        body.put("factor", factor);
        body.put("most", most.toString());
        return body;
    }

    static Retry of(JsonObject json) {
        return new Retry(Answers.duration(json, "first"), json.decimal("factor", 1), Answers.duration(json, "most"));
    }
}
