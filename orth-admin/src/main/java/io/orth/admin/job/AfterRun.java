package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** Follow-ups of a job's run: retries after a failure, or children after a success, fired in this order. */
public record AfterRun(
        @JsonUnwrapped RetryPolicy retry, @JsonIgnore List<ChildJob> children) {

    /** Default retry settings: no retries. */
    public static final RetryPolicy NO_RETRIES =
            new RetryPolicy(1, Backoff.doubling(Duration.ofSeconds(10), Duration.ofHours(1)));

    public static final AfterRun NOTHING = new AfterRun(NO_RETRIES, List.of());

    private static final int MOST_CHILDREN = 50;

    public AfterRun {
        children = List.copyOf(children);
        RetryPolicy.checkMaxAttempts(retry.maxAttempts());
        if (children.size() > MOST_CHILDREN) {
            throw OrthException.invalid("children", "must name at most %d jobs".formatted(MOST_CHILDREN));
        }
        if (children.stream().map(ChildJob::jobId).distinct().count() < children.size()) {
            throw OrthException.invalid("children", "must name each job once");
        }
    }
}
