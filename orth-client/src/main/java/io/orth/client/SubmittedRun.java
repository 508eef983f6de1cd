package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * Result of a submission.
 *
 * @param rootJobId the run's id; null for a dry run
 * @param status null for a dry run
 * @param version of the pipeline
 * @param estimate the estimated number of tasks; null if unknown
 * @param basis source of the estimate: {@code LAST_RUN}, {@code TARGETS} or {@code NONE}
 * @param traceId identifies the run in logs
 * @param duplicate whether the run was submitted earlier under the same key
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
