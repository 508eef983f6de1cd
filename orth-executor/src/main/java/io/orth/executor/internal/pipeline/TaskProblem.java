package io.orth.executor.internal.pipeline;

import io.orth.executor.FailForGoodException;

/** What is wrong with a task for good, with a code by which it can be told from others. */
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
