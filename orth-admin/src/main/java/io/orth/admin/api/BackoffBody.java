package io.orth.admin.api;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * Backoff in a request: {@code initialDelay}, times {@code multiplier} with each further attempt, up to {@code maxDelay}. Durations are ISO
 * 8601. Missing fields have the defaults of the entity.
 *
 * @param jitter share of a delay, 0 to 1, by which it is randomly shortened or extended
 */
record BackoffBody(String initialDelay, Double multiplier, String maxDelay, Double jitter) {

    /** @param body null for the default backoff */
    static Backoff toBackoff(BackoffBody body, Backoff usual) {
        return body == null
                ? usual
                : usual.with(
                        parse("backoff.initialDelay", body.initialDelay),
                        body.multiplier,
                        parse("backoff.maxDelay", body.maxDelay),
                        body.jitter);
    }

    /** @return null if {@code text} is null */
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
