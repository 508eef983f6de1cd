package io.orth.admin.api;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * The backoff in a request: {@code initialDelay}, times {@code multiplier} with each further attempt, up to {@code maxDelay}. Durations
 * are ISO 8601. Missing components have the defaults of the entity.
 *
 * @param jitter the share of a delay, 0 to 1, by which it is shortened or lengthened at random
 */
record BackoffBody(String initialDelay, Double multiplier, String maxDelay, Double jitter) {

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
