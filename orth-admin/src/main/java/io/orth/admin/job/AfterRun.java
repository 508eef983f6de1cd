package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import java.util.List;

/**
 * What follows a run of a job.
 *
 * @param retry after a failure
 * @param children after a success, in the order in which they are fired
 */
public record AfterRun(RetryPolicy retry, List<ChildJob> children) {

    public static final AfterRun NOTHING = new AfterRun(RetryPolicy.NEVER, List.of());

    private static final int MOST_CHILDREN = 50;

    public AfterRun {
        children = List.copyOf(children);
        if (children.size() > MOST_CHILDREN) {
            throw OrthException.invalid("children", "must name at most %d jobs".formatted(MOST_CHILDREN));
        }
        if (children.stream().map(ChildJob::jobId).distinct().count() < children.size()) {
            throw OrthException.invalid("children", "must name each job once");
        }
    }
}
