package io.orth.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What became of an attempt at a task.
 *
 * @param result JSON text, or null
 * @param children proposed for the next stage; only where it went well
 * @param error null where it went well
 * @param retryAfterMillis how long the handler wants the next attempt to wait; null where the stage's rule decides
 * @param runMillis how long the handler took
 */
public record TaskResult(
        long taskId,
        int attempt,
        Outcome outcome,
        String result,
        List<TaskChild> children,
        Problem error,
        Long retryAfterMillis,
        long runMillis)
        implements WireMessage {

    /** How it ended. */
    public enum Outcome {
        OK,
        /** Another attempt may do. */
        FAILED,
        /** No further attempt would mend it. */
        PERMANENT;

        private String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static Outcome from(JsonObject json) {
            String name = json.requiredText("outcome");
            return Arrays.stream(values())
                    .filter(outcome -> outcome.wireName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new WireFormatException("'outcome' must be ok, failed or permanent"));
        }
    }

    /**
     * Why it failed.
     *
     * @param code capital letters, digits and underscores
     * @param detail more than fits into the message, such as a stack; null if there is none
     */
    public record Problem(String code, String message, String detail) implements WireMessage {

        public static Problem from(JsonObject json) {
            return new Problem(json.requiredText("code"), json.text("message", ""), json.text("detail"));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("code", code)
                    .put("message", message)
                    .put("detail", detail)
                    .toMap();
        }
    }

    public TaskResult {
        children = List.copyOf(children);
    }

    public static TaskResult ok(long taskId, int attempt, String result, List<TaskChild> children, long runMillis) {
        return new TaskResult(taskId, attempt, Outcome.OK, result, children, null, null, runMillis);
    }

    public static TaskResult from(JsonObject json) {
        return new TaskResult(
                json.requiredNumber("taskId"),
                json.requiredInteger("attempt"),
                Outcome.from(json),
                json.text("result"),
                json.objects("children").stream().map(TaskChild::from).toList(),
                json.object("error").map(Problem::from).orElse(null),
                json.optionalNumber("retryAfterMillis").orElse(null),
                json.number("runMillis", 0));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("taskId", taskId)
                .put("attempt", attempt)
                .put("outcome", outcome.wireName())
                .put("result", result)
                .put(
                        "children",
                        children.isEmpty()
                                ? null
                                : children.stream().map(TaskChild::toJson).toList())
                .put("error", error == null ? null : error.toJson())
                .put("retryAfterMillis", retryAfterMillis)
                .put("runMillis", runMillis)
                .toMap();
    }
}
