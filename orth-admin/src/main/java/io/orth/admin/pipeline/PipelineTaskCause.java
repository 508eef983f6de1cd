package io.orth.admin.pipeline;

/** Why a task changed its state. */
enum PipelineTaskCause {
    CREATED,
    CLAIMED,
    BEGUN,
    COMPLETED,
    /** An attempt failed, and another one follows. */
    FAILED,
    /** Its executor is gone or has forgotten it. */
    LOST,
    /** Its executor stops and had not started the attempt, which does not count. */
    RETURNED,
    /** The last attempt failed. */
    EXHAUSTED,
    /** The handler said that no further attempt would mend it. */
    FAILED_FOR_GOOD,
    /** Its run was cancelled. */
    CANCELLED,
    /** Somebody gave it another chance. */
    RETRIED
}
