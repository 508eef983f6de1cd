package io.orth.admin.pipeline;

/** Why a run of a pipeline changed its state. */
enum PipelineRunCause {
    SUBMITTED,
    /** The first of its tasks was claimed. */
    BEGUN,
    /** All stages are over. */
    COMPLETED,
    /** A stage had more failures than it bears. */
    FAILED,
    CANCELLED,
    /** Somebody gave failed tasks another chance. */
    RETRIED
}
