package io.orth.admin.run;

import io.orth.admin.kernel.Fence;

/**
 * A run that an executor has accepted, or may have accepted.
 *
 * @param fence executor and dispatch by which it got the run; the acceptance is void if the run has been dispatched again
 * @param message trigger message to store; null keeps the current one
 */
public record Acceptance(long runId, Fence fence, String message) {

    /** Returns an acceptance by the executor of the run's last dispatch. */
    public static Acceptance of(Run run, String message) {
        return new Acceptance(run.id(), run.fence(), message);
    }
}
