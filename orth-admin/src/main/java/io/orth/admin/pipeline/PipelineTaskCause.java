package io.orth.admin.pipeline;

/** Cause of a task's state transition. */
enum PipelineTaskCause {
    CREATED,
    CLAIMED,
    BEGUN,
    COMPLETED,
    /** An attempt failed, and another one follows. */
    FAILED,
    /** Its executor is dead or no longer has the task. */
    LOST,
    /** Its executor stopped before it started the attempt, which does not count. */
    RETURNED,
    /** The last attempt failed. */
    EXHAUSTED,
    /** The handler reported a non-retryable failure. */
    FAILED_FOR_GOOD,
    /** Its run was cancelled. */
    CANCELLED,
    /** A user retried it. */
    RETRIED
}
