package io.orth.client;

import io.orth.protocol.BackoffMillis;
import io.orth.protocol.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Growth of the delay before a further attempt: {@code initialDelay × multiplier^(attempt − 1)}, at most {@code maxDelay}.
 *
 * @param jitter the share of a delay, 0 to 1, by which it is randomly shortened or lengthened
 */
public record Backoff(Duration initialDelay, double multiplier, Duration maxDelay, double jitter) {

    private static final Duration LONGEST = Duration.ofDays(30);
    private static final double MAX_MULTIPLIER = 100;

    public Backoff {
        Checks.that(
                !initialDelay.isNegative() && initialDelay.compareTo(LONGEST) <= 0,
                "backoff.initialDelay must be between 0 and 30 days");
        Checks.that(multiplier >= 1 && multiplier <= MAX_MULTIPLIER, "backoff.multiplier must be between 1 and 100");
        Checks.that(
                maxDelay.compareTo(initialDelay) >= 0 && maxDelay.compareTo(LONGEST) <= 0,
                "backoff.maxDelay must be between backoff.initialDelay and 30 days");
        Checks.that(jitter >= 0 && jitter <= 1, "backoff.jitter must be between 0 and 1");
    }

    /** Creates a backoff without jitter. */
    public Backoff(Duration initialDelay, double multiplier, Duration maxDelay) {
        this(initialDelay, multiplier, maxDelay, 0);
    }

    /** Returns a constant delay. */
    public static Backoff fixed(Duration delay) {
        return new Backoff(delay, 1, delay);
    }

    /** Returns a delay that doubles with each attempt. */
    public static Backoff exponential(Duration initialDelay, Duration maxDelay) {
        return new Backoff(initialDelay, 2, maxDelay);
    }

    /** Returns a copy with this jitter, 0 to 1. */
    public Backoff withJitter(double share) {
        return new Backoff(initialDelay, multiplier, maxDelay, share);
    }

    BackoffMillis toWire() {
        return new BackoffMillis(initialDelay.toMillis(), multiplier, maxDelay.toMillis(), jitter);
    }

    Map<String, Object> toBody() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("initialDelay", initialDelay.toString());
        body.put("multiplier", multiplier);
        body.put("maxDelay", maxDelay.toString());
        body.put("jitter", jitter);
        return body;
    }

    static Backoff of(JsonObject json) {
        return new Backoff(
                Answers.duration(json, "initialDelay"),
                json.decimal("multiplier", 1),
                Answers.duration(json, "maxDelay"),
                json.decimal("jitter", 0));
    }
}
