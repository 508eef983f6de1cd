package io.orth.admin.run;

import io.orth.admin.kernel.Fence;

/**
 * An executor has this run, or may have it.
 *
 * @param fence the executor, and the dispatch by which it got the run; void if the run was sent again since
 * @param message what is to be said about it; null to leave what was said before
 */
public record Acceptance(long runId, Fence fence, String message) {

    /** By the executor that the run was last sent to. */
    public static Acceptance of(Run run, String message) {
        return new Acceptance(run.id(), run.fence(), message);
    }
}
