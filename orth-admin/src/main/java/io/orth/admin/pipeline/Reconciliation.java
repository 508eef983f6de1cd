package io.orth.admin.pipeline;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was, or would be, done about a run.
 *
 * @param more whether there is more to be done at once
 */
public record Reconciliation(
        long rootId, String traceId, PipelineRunStatus status, List<Action> actions, boolean more) {

    /**
     * One thing that was done.
     *
     * @param kind such as {@code FAN_OUT}, {@code RUN_COMPLETED} or the name of a {@link Repair}
     * @param stage of which stage; null where it is about the run
     * @param count how many tasks it concerned
     */
    public record Action(String kind, String stage, long count) {

        Map<String, Object> toJson() {
            Map<String, Object> json = new HashMap<>();
            json.put("kind", kind);
            json.put("stage", stage);
            json.put("count", count);
            return json;
        }

        @Override
        public String toString() {
            return "%s%s %d".formatted(kind, stage == null ? "" : " " + stage, count);
        }
    }

    public Reconciliation {
        actions = List.copyOf(actions);
    }
}
