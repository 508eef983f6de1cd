package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A run of a pipeline.
 *
 * @param id the {@code rootJobId}
 * @param status {@code PENDING}, {@code RUNNING}, {@code COMPLETED}, {@code FAILED} or {@code CANCELLED}
 * @param progress in percent
 * @param estimate the estimated number of tasks; null if unknown
 * @param failure why the run failed, as JSON; null if it has not
 * @param scope as JSON; null in lists
 * @param options as JSON; null in lists
 * @param result of the run as a whole, as JSON; null in lists and if none was set
 * @param links to what the run produced; empty in lists
 */
public record PipelineRunInfo(
        long id,
        String pipeline,
        int version,
        String status,
        String createdBy,
        String traceId,
        Instant createdAt,
        Instant startedAt,
        Instant finishedAt,
        Instant updatedAt,
        int progress,
        Long estimate,
        List<StageProgress> stages,
        String failure,
        String scope,
        String options,
        String result,
        List<RunLink> links) {

    private static final Set<String> OPEN = Set.of("PENDING", "RUNNING");

    /**
     * Progress of a stage.
     *
     * @param status {@code WAITING}, {@code RUNNING} or {@code OVER}
     * @param paused whether the stage is paused
     * @param expected the number of its tasks; null until all of them are created
     * @param open the number of its unfinished tasks; null until all tasks are created
     */
    public record StageProgress(
            String name,
            String handler,
            String queue,
            String status,
            boolean paused,
            Long expected,
            long completed,
            long failed,
            long cancelled,
            Long open) {

        private static StageProgress of(JsonObject json) {
            return new StageProgress(
                    json.requiredText("name"),
                    json.text("handler"),
                    json.text("queue"),
                    json.text("status"),
                    json.flag("paused"),
                    json.optionalNumber("expected").orElse(null),
                    json.number("completed", 0),
                    json.number("failed", 0),
                    json.number("cancelled", 0),
                    json.optionalNumber("open").orElse(null));
        }
    }

    public PipelineRunInfo {
        stages = List.copyOf(stages);
        links = List.copyOf(links);
    }

    public boolean isOver() {
        return !OPEN.contains(status);
    }

    static PipelineRunInfo of(JsonObject json) {
        return new PipelineRunInfo(
                json.requiredNumber("id"),
                json.text("pipeline"),
                json.integer("version", 0),
                json.requiredText("status"),
                json.text("createdBy"),
                json.text("traceId"),
                Answers.instant(json, "createdAt"),
                Answers.instant(json, "startedAt"),
                Answers.instant(json, "finishedAt"),
                Answers.instant(json, "updatedAt"),
                json.integer("progress", 0),
                json.optionalNumber("estimate").orElse(null),
                json.objects("stages").stream().map(StageProgress::of).toList(),
                json.json("failure"),
                json.json("scope"),
                json.json("options"),
                json.json("result"),
                json.objects("links").stream().map(RunLink::of).toList());
    }
}
