package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.Submission;
import io.orth.admin.pipeline.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Submission of a pipeline run.
 *
 * @param scope passed to the handler of every task; its {@code targets}, if any, are the tasks of the first stage
 * @param options also passed to the handler of every task
 * @param dryRun whether to only check and estimate the run
 */
record SubmissionBody(JsonNode scope, JsonNode options, Map<String, String> meta, Boolean dryRun) {

    private static final String TARGETS = "targets";

    boolean isDryRun() {
        return dryRun != null && dryRun;
    }

    Submission toSubmission(String pipeline, String key, String by, String traceId) {
        if (meta != null && meta.containsValue(null)) {
            throw OrthException.invalid("meta", "must not contain null");
        }
        return new Submission(
                pipeline,
                text("scope", scope),
                text("options", options),
                meta == null ? Map.of() : meta,
                targets(),
                key,
                by,
                traceId);
    }

    private static String text(String field, JsonNode node) {
        if (node == null || node.isNull()) {
            return "{}";
        }
        if (!node.isObject()) {
            throw OrthException.invalid(field, "must be an object");
        }
        return node.toString();
    }

    private List<Target> targets() {
        if (scope == null || !scope.has(TARGETS)) {
            return List.of();
        }
        JsonNode given = scope.path(TARGETS);
        if (!given.isArray() || given.isEmpty() || given.size() > Submission.MOST_TARGETS) {
            throw OrthException.invalid(
                    "scope.targets",
                    "must be 1 to %d; without any, the whole scope is one".formatted(Submission.MOST_TARGETS));
        }
        return ProblemField.each("scope.targets", given, SubmissionBody::target);
    }

    private static Target target(JsonNode node) {
        return new Target(
                node.path("targetType").stringValue(null),
                node.path("targetId").isNumber()
                        ? node.path("targetId").toString()
                        : node.path("targetId").stringValue(null),
                node.hasNonNull("params") ? node.path("params").toString() : null,
                meta(node.path("meta")));
    }

    private static Map<String, String> meta(JsonNode node) {
        Map<String, String> meta = new HashMap<>();
        for (Map.Entry<String, JsonNode> each : node.properties()) {
            if (!each.getValue().isString()) {
                throw OrthException.invalid("meta." + each.getKey(), "must be text");
            }
            meta.put(each.getKey(), each.getValue().stringValue());
        }
        return meta;
    }
}
