package io.orth.admin.api;

import io.orth.admin.job.RetryPolicy;
import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * How often and when a failed run is repeated, in requests and answers.
 *
 * @param retries how many times at most; none where it is missing
 * @param backoff the wait before the first retry, which doubles with each further one; ten seconds where it is missing
 * @param longest the longest wait; an hour, or {@code backoff} where that is longer, where it is missing
 */
record RetryBody(Integer retries, String backoff, String longest) {

    static RetryBody of(RetryPolicy policy) {
        return new RetryBody(
                policy.retries(), policy.backoff().toString(), policy.longest().toString());
    }

    RetryPolicy toPolicy() {
        Duration wait = parse("retry.backoff", backoff, RetryPolicy.NEVER.backoff());
        Duration usual = RetryPolicy.NEVER.longest();
        return new RetryPolicy(
                retries == null ? 0 : retries,
                wait,
                parse("retry.longest", longest, wait.compareTo(usual) > 0 ? wait : usual));
    }

    private static Duration parse(String field, String text, Duration missing) {
        if (text == null) {
            return missing;
        }
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeException | ArithmeticException e) {
            throw OrthException.invalid(field, "is not an ISO 8601 duration such as PT30S");
        }
    }
}
