package io.orth.admin.pipeline;

import io.orth.admin.kernel.Move;

/**
 * A requested status transition of one run.
 *
 * @param failure why the run fails, as JSON; null if it does not
 */
record PipelineRunMove(long id, PipelineRunStatus from, PipelineRunStatus to, PipelineRunCause reason, String failure)
        implements Move<PipelineRunStatus> {

    static PipelineRunMove of(PipelineRun run, PipelineRunStatus to, PipelineRunCause reason) {
        return new PipelineRunMove(run.id(), run.status(), to, reason, null);
    }
}
