package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * A job.
 *
 * @param handler null where a script or Groovy source runs
 * @param nextFireAt null where it does not fire of itself
 */
public record JobInfo(
        int id, String name, String groupName, String handler, String param, boolean enabled, Instant nextFireAt) {

    static JobInfo of(JsonObject json) {
        return new JobInfo(
                json.requiredInteger("id"),
                json.text("name"),
                json.text("groupName"),
                json.text("handler"),
                json.text("param"),
                json.flag("enabled"),
                Answers.instant(json, "nextFireAt"));
    }
}
