package io.orth.admin.pipeline;

/** Cause of a pipeline run's state transition. */
enum PipelineRunCause {
    SUBMITTED,
    /** Its first task was claimed. */
    BEGUN,
    /** All stages are finished. */
    COMPLETED,
    /** The failures of a stage exceeded its tolerance. */
    FAILED,
    CANCELLED,
    /** A user retried failed tasks. */
    RETRIED
}
