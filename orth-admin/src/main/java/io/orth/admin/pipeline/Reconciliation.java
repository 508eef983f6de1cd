package io.orth.admin.pipeline;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Report of what was done, or in a dry run would be done, about a run.
 *
 * @param more whether the run needs another pass immediately
 */
public record Reconciliation(
        long rootId, String traceId, PipelineRunStatus status, List<Action> actions, boolean more) {

    /**
     * One action of the reconciler.
     *
     * @param kind such as {@code FAN_OUT}, {@code RUN_COMPLETED} or the name of a {@link Repair}
     * @param stage the name of the stage; null if the action concerns the whole run
     * @param count the number of affected tasks
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
