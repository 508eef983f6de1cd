package io.orth.executor.internal.pipeline;

import io.orth.executor.FailForGoodException;

/** Thrown for a non-retryable problem of a task, with a code that identifies its kind. */
public final class TaskProblem extends FailForGoodException {

    public static final String BAD_PARAMS = "BAD_PARAMS";
    static final String RESULT_TOO_LARGE = "RESULT_TOO_LARGE";
    static final String BAD_RESULT = "BAD_RESULT";
    static final String BAD_CONTENT = "BAD_CONTENT";
    static final String BAD_CHILD = "BAD_CHILD";

    private static final long serialVersionUID = 1;

    private final String code;

    public TaskProblem(String code, String reason) {
        super(reason);
        this.code = code;
    }

    String code() {
        return code;
    }
}
