package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * The current definition of a pipeline.
 *
 * @param version incremented with each change
 * @param paused whether the pipeline is paused
 */
public record PipelineInfo(
        String name,
        String description,
        int version,
        boolean paused,
        List<StageInfo> stages,
        String updatedBy,
        Instant updatedAt) {

    /**
     * A stage of a pipeline.
     *
     * @param queue the queue of its tasks; null if they are sent to a webhook
     * @param webhook null if its tasks go to a queue
     * @param concurrency null for no limit
     * @param paused whether the stage is paused
     */
    public record StageInfo(
            String name,
            String handler,
            String queue,
            String webhook,
            int maxAttempts,
            Backoff backoff,
            Integer concurrency,
            String tolerance,
            boolean paused) {

        private static StageInfo of(JsonObject json) {
            return new StageInfo(
                    json.requiredText("name"),
                    json.text("handler"),
                    json.text("queue"),
                    json.text("webhook"),
                    json.integer("maxAttempts", 0),
                    json.object("backoff").map(Backoff::of).orElse(null),
                    Answers.integer(json, "concurrency"),
                    json.text("tolerance"),
                    json.flag("paused"));
        }
    }

    public PipelineInfo {
        stages = List.copyOf(stages);
    }

    static PipelineInfo of(JsonObject json) {
        return new PipelineInfo(
                json.requiredText("name"),
                json.text("description", ""),
                json.requiredInteger("version"),
                json.flag("paused"),
                json.objects("stages").stream().map(StageInfo::of).toList(),
                json.text("updatedBy"),
                Answers.instant(json, "updatedAt"));
    }
}
