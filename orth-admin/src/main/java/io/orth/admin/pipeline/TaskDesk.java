package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskContentReply;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import java.util.List;

/** Where executors report what running tasks make and how far they are. All of it may be reported twice. */
public final class TaskDesk {

    private static final int MOST_AT_ONCE = 1_000;

    private final TaskNotes notes;

    TaskDesk(TaskNotes notes) {
        this.notes = notes;
    }

    public TaskContentReply content(long executor, TaskContent request) {
        checkSize("items", request.items());
        return new TaskContentReply(notes.content(executor, request.items()));
    }

    public TaskStepsReply steps(long executor, TaskSteps request) {
        checkSize("items", request.items());
        return new TaskStepsReply(notes.steps(executor, request.items()));
    }

    private static void checkSize(String field, List<?> list) {
        if (list.size() > MOST_AT_ONCE) {
            throw OrthException.invalid(field, "must be at most %d".formatted(MOST_AT_ONCE));
        }
    }
}
