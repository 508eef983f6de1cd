package io.orth.protocol;

import java.util.List;

/**
 * Outcome of an attempt at a pipeline task, in addition to its {@link MessageResult}.
 *
 * @param result JSON text, or null
 * @param children tasks proposed for the next stage; only for a success
 * @param error null for a success
 */
public record TaskOutcome(String result, List<TaskChild> children, Problem error) implements ToldMessage {

    /**
     * Failure of a task.
     *
     * @param code capital letters, digits and underscores
     * @param detail details too long for the message, such as a stack trace; null if there are none
     */
    public record Problem(String code, String message, String detail) implements ToldMessage {

        static Problem from(JsonObject json) {
            return new Problem(json.requiredText("code"), json.text("message", ""), json.text("detail"));
        }

        @Override
        public void tell(FieldSink fields) {
            fields.put("code", code).put("message", message).put("detail", detail);
        }
    }

    public TaskOutcome {
        children = List.copyOf(children);
    }

    static TaskOutcome from(JsonObject json) {
        return new TaskOutcome(
                json.text("result"),
                json.objects("children").stream().map(TaskChild::from).toList(),
                json.object("error").map(Problem::from).orElse(null));
    }

    @Override
    public void tell(FieldSink fields) {
        fields.put("result", result);
        if (!children.isEmpty()) {
            fields.putMessages("children", children);
        }
        fields.putObject("error", error == null ? null : error::tell);
    }

    /** Returns the approximate size in a request, in characters. */
    public int weight() {
        int weight = lengthOf(result);
        if (error != null) {
            weight += lengthOf(error.message()) + lengthOf(error.detail());
        }
        for (TaskChild child : children) {
            weight += 100 + child.targetId().length() + lengthOf(child.params());
        }
        return weight;
    }

    private static int lengthOf(String text) {
        return text == null ? 0 : text.length();
    }
}
