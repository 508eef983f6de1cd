package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * A pipeline as it is now.
 *
 * @param version goes up with each change of it
 * @param paused whether nothing new of it begins
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
     * A stage of it.
     *
     * @param queue where its tasks go; null where a webhook is told of them
     * @param webhook null where they go to a queue
     * @param concurrency null for as many as there are workers for
     * @param paused whether nothing new of it begins
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
