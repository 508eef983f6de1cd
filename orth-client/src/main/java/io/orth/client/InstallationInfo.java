package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * The installation and its status.
 *
 * @param copiedFromId the installation whose database this one was copied from; may be null
 * @param pausedAt null if not paused, as is the reason
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
