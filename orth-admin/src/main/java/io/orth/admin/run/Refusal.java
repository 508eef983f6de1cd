package io.orth.admin.run;

import io.orth.admin.kernel.Fence;

/**
 * No executor takes this run.
 *
 * @param fence the executor it was meant for when that was found, and how often it had been sent; void if it was sent again since
 */
public record Refusal(long runId, Fence fence, String reason) {

    public static Refusal of(Run run, String reason) {
        return new Refusal(run.id(), run.fence(), reason);
    }

    /** The same of a run that is meant for no executor any more. */
    Refusal withdrawn() {
        return new Refusal(runId, new Fence(null, fence.claimId()), reason);
    }
}
