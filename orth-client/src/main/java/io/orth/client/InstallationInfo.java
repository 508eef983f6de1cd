package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * Which installation answers, and whether it is live.
 *
 * @param copiedFromId the installation whose database this one began as; may be null
 * @param pausedAt null where it is live, as is the reason
 * @param pauseReason {@code COPIED} or {@code START_PAUSED}
 */
public record InstallationInfo(String id, String copiedFromId, boolean paused, Instant pausedAt, String pauseReason) {

    static InstallationInfo of(JsonObject json) {
        return new InstallationInfo(
                json.text("id"),
                json.text("copiedFromId"),
                json.flag("paused"),
                Answers.instant(json, "pausedAt"),
                json.text("pauseReason"));
    }
}
