package io.orth.admin.pipeline;

import io.orth.admin.kernel.Move;

/**
 * A status change wanted for one run.
 *
 * @param failure why it failed, as JSON; null where it does not
 */
record PipelineRunMove(long id, PipelineRunStatus from, PipelineRunStatus to, PipelineRunCause reason, String failure)
        implements Move<PipelineRunStatus> {}
