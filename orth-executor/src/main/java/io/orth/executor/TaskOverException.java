package io.orth.executor;

/**
 * Thrown to a handler whose task no longer belongs to it, because the task was cancelled or assigned to another executor. Nothing
 * that the handler reports is recorded any more, so it should stop.
 */
public class TaskOverException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public TaskOverException(String reason) {
        super(reason);
    }
}
