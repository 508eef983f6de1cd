package io.orth.admin.api;

import io.orth.admin.kernel.InstallationGuard;
import java.time.Instant;
import java.util.UUID;

/**
 * Which installation answers, and whether it is live.
 *
 * @param copiedFromId the installation whose database this one began as; may be null
 * @param pausedAt null where it is live, as is the reason
 */
record InstallationView(
        UUID id, UUID copiedFromId, boolean paused, Instant pausedAt, InstallationGuard.PauseReason pauseReason) {

    static InstallationView of(InstallationGuard.State state) {
        return new InstallationView(
                state.id(), state.copiedFromId(), state.isPaused(), state.pausedAt(), state.pauseReason());
    }
}
