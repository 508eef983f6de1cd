package io.orth.client;

import io.orth.protocol.JsonObject;
import java.util.List;

/**
 * Report of what was done, or in a dry run would be done, about a pipeline run.
 *
 * @param dryRun whether nothing was done
 * @param status the run's status afterwards
 */
public record Reconciliation(long rootJobId, boolean dryRun, String status, List<Action> actions) {

    /**
     * One action of the reconciler.
     *
     * @param kind such as {@code FAN_OUT}, {@code RUN_COMPLETED} or the kind of repair
     * @param stage null if the action concerns the whole run
     * @param count the number of affected tasks
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
