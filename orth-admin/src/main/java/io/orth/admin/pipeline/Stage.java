package io.orth.admin.pipeline;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.protocol.BackoffMillis;
import io.orth.protocol.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One step of a pipeline: the handler, its attempts and the tolerated failures.
 *
 * @param queue the queue of its tasks; null if they are sent to a webhook
 * @param webhook the configured name of the webhook; null if its tasks go to a queue
 * @param concurrency the maximum number of concurrently executed tasks in the whole cluster; null for no limit
 */
public record Stage(
        String name,
        String handler,
        String queue,
        String webhook,
        int maxAttempts,
        Backoff backoff,
        Integer concurrency,
        Tolerance tolerance) {

    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9._:-]{1,100}");
    private static final int LONGEST_HANDLER = 200;
    private static final int MOST_AT_ONCE = 1_000_000;

    public Stage {
        PipelineSpec.checkName("name", name);
        PlainText.require("handler", handler, LONGEST_HANDLER);
        if ((queue == null) == (webhook == null)) {
            throw OrthException.invalid("webhook", "and queue cannot both be given");
        }
        if (queue != null && !QUEUE.matcher(queue).matches()) {
            throw OrthException.invalid(
                    "queue", "must be 1 to 100 letters, digits, dots, dashes, colons or underscores");
        }
        RetryPolicy.checkMaxAttempts(maxAttempts);
        if (concurrency != null && (concurrency < 1 || concurrency > MOST_AT_ONCE)) {
            throw OrthException.invalid("concurrency", "must be between 1 and " + MOST_AT_ONCE);
        }
        if (concurrency != null && webhook != null) {
            throw OrthException.invalid("concurrency", "is only kept by queues");
        }
    }

    /** Returns the default queue name of a stage. */
    public static String usualQueue(String pipeline, String stage) {
        String name = "pipeline.%s.%s".formatted(pipeline, stage);
        return name.length() > 100 ? name.substring(0, 100) : name;
    }

    /** Returns the name of the queue or webhook of its tasks. */
    String destination() {
        return queue == null ? webhook : queue;
    }

    boolean isForeign() {
        return queue == null;
    }

    static Stage from(JsonObject json) {
        return new Stage(
                json.requiredText("name"),
                json.requiredText("handler"),
                json.text("queue"),
                json.text("webhook"),
                json.requiredInteger("maxAttempts"),
                Backoff.DEFAULT.with(
                        json.object("backoff").map(BackoffMillis::from).orElse(null)),
                json.optionalNumber("concurrency").map(Math::toIntExact).orElse(null),
                new Tolerance(json.requiredText("tolerance")));
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("handler", handler);
        json.put("queue", queue);
        json.put("webhook", webhook);
        json.put("maxAttempts", maxAttempts);
        json.put("backoff", backoff.toWire().toJson());
        json.put("concurrency", concurrency);
        json.put("tolerance", tolerance.text());
        return json;
    }
}
