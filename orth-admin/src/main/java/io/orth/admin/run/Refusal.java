package io.orth.admin.run;

import io.orth.admin.kernel.Fence;

/**
 * A run that no executor accepts.
 *
 * @param fence intended executor and dispatch count when this was found; void if the run has been dispatched again
 */
public record Refusal(long runId, Fence fence, String reason) {

    public static Refusal of(Run run, String reason) {
        return new Refusal(run.id(), run.fence(), reason);
    }

    /** Returns a copy for a run that no longer has an intended executor. */
    Refusal withdrawn() {
        return new Refusal(runId, new Fence(null, fence.claimId()), reason);
    }
}
