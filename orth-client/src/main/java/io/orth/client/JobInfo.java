package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * A job.
 *
 * @param handler null if the job runs a script or Groovy source
 * @param nextFireAt null if the job has no next fire time
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
