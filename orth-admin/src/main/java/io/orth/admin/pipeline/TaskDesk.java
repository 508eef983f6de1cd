package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import io.orth.protocol.TaskBegin;
import io.orth.protocol.TaskBeginReply;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskContentReply;
import io.orth.protocol.TaskFinish;
import io.orth.protocol.TaskFinishReply;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import java.util.List;
import java.util.function.LongConsumer;

/** Where executors begin with tasks, say what they make, and finish them. All of it may be said twice. */
public final class TaskDesk {

    private static final int MOST_AT_ONCE = 1_000;
    private static final int MOST_CHILDREN = 20_000;

    private final TaskClaims claims;
    private final TaskNotes notes;
    private final TaskResults results;
    private final LongConsumer reconcile;
    private final Runnable dispatch;

    /**
     * @param reconcile something of this run has ended
     * @param dispatch the outbox may have something new
     */
    TaskDesk(TaskClaims claims, TaskNotes notes, TaskResults results, LongConsumer reconcile, Runnable dispatch) {
        this.claims = claims;
        this.notes = notes;
        this.results = results;
        this.reconcile = reconcile;
        this.dispatch = dispatch;
    }

    /** @param executor one of this group that is online */
    public TaskBeginReply begin(int group, long executor, TaskBegin request) {
        checkSize("tasks", request.tasks());
        return new TaskBeginReply(claims.begin(new TaskClaims.Worker(group, executor), request.tasks()));
    }

    public TaskContentReply content(long executor, TaskContent request) {
        checkSize("items", request.items());
        return new TaskContentReply(notes.content(executor, request.items()));
    }

    public TaskStepsReply steps(long executor, TaskSteps request) {
        checkSize("items", request.items());
        return new TaskStepsReply(notes.steps(executor, request.items()));
    }

    /** What an executor reports that is gone does not count: its tasks are not its own any more. */
    public TaskFinishReply finish(long executor, TaskFinish request) {
        checkSize("results", request.results());
        int children = request.results().stream()
                .mapToInt(result -> result.children().size())
                .sum();
        if (children > MOST_CHILDREN && request.results().size() > 1) {
            throw OrthException.invalid("results", "must have at most %d children in all".formatted(MOST_CHILDREN));
        }
        TaskResults.Finished finished = results.finish(executor, request.results());
        finished.roots().forEach(reconcile::accept);
        dispatch.run();
        return new TaskFinishReply(finished.verdicts());
    }

    private static void checkSize(String field, List<?> list) {
        if (list.size() > MOST_AT_ONCE) {
            throw OrthException.invalid(field, "must be at most %d".formatted(MOST_AT_ONCE));
        }
    }
}
