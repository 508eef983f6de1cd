package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * What a submission led to.
 *
 * @param rootJobId the run's id; null where it was only checked
 * @param status null where it was only checked
 * @param version of the pipeline
 * @param estimate how many tasks there will be; null where nobody knows
 * @param basis how that is known: {@code LAST_RUN}, {@code TARGETS} or {@code NONE}
 * @param traceId under which it is found in logs
 * @param duplicate whether it was submitted before, under the same key: this is its run
 */
public record SubmittedRun(
        Long rootJobId,
        String status,
        String pipeline,
        int version,
        Long estimate,
        String basis,
        String traceId,
        Instant createdAt,
        boolean duplicate) {

    static SubmittedRun of(JsonObject json) {
        JsonObject estimate = json.object("estimate").orElse(null);
        return new SubmittedRun(
                json.optionalNumber("rootJobId").orElse(null),
                json.text("status"),
                json.text("pipeline"),
                json.integer("version", 0),
                estimate == null ? null : estimate.optionalNumber("tasks").orElse(null),
                estimate == null ? null : estimate.text("basis"),
                json.text("traceId"),
                Answers.instant(json, "createdAt"),
                json.flag("duplicate"));
    }
}
