package io.orth.client;

import io.orth.protocol.JsonObject;
import java.util.List;

/**
 * What was, or would be, done about a run of a pipeline.
 *
 * @param dryRun whether nothing was done
 * @param status the run's, after that
 */
public record Reconciliation(long rootJobId, boolean dryRun, String status, List<Action> actions) {

    /**
     * One thing that was done.
     *
     * @param kind such as {@code FAN_OUT}, {@code RUN_COMPLETED} or what was repaired
     * @param stage null where it is about the run
     * @param count how many tasks it concerned
     */
    public record Action(String kind, String stage, long count) {

        private static Action of(JsonObject json) {
            return new Action(json.requiredText("kind"), json.text("stage"), json.number("count", 0));
        }
    }

    public Reconciliation {
        actions = List.copyOf(actions);
    }

    static Reconciliation of(JsonObject json) {
        return new Reconciliation(
                json.requiredNumber("rootJobId"),
                json.flag("dryRun"),
                json.text("status"),
                json.objects("actions").stream().map(Action::of).toList());
    }
}
