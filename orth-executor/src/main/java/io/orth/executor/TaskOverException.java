package io.orth.executor;

/**
 * Thrown to a handler that speaks for a task which is not its own any more: the task was cancelled, or given to somebody else.
 * Nothing that it would say counts, so it had better end.
 */
public class TaskOverException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public TaskOverException(String reason) {
        super(reason);
    }
}
