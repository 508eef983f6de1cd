package io.orth.admin.api;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * How the delay before a further attempt grows, in requests and answers: {@code initialDelay}, times {@code multiplier} with each
 * further attempt, at most {@code maxDelay}. Durations are ISO 8601. What is missing in a request is as usual there.
 *
 * @param jitter the share of a delay, 0 to 1, by which it is shortened or lengthened at random
 */
record BackoffBody(String initialDelay, Double multiplier, String maxDelay, Double jitter) {

    static BackoffBody of(Backoff backoff) {
        return new BackoffBody(
                backoff.initialDelay().toString(),
                backoff.multiplier(),
                backoff.maxDelay().toString(),
                backoff.jitter());
    }

    /** @param body null where the usual holds */
    static Backoff toBackoff(BackoffBody body, Backoff usual) {
        return body == null
                ? usual
                : usual.with(
                        parse("backoff.initialDelay", body.initialDelay),
                        body.multiplier,
                        parse("backoff.maxDelay", body.maxDelay),
                        body.jitter);
    }

    /** @return null where it is missing */
    static Duration parse(String field, String text) {
        if (text == null) {
            return null;
        }
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeException | ArithmeticException e) {
            throw OrthException.invalid(field, "is not an ISO 8601 duration such as PT30S");
        }
    }
}
