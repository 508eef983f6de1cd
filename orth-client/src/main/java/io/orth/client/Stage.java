package io.orth.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One step of a pipeline definition: {@code Stage.of("topics", "hydrateAll.topics").maxAttempts(5).tolerance("5%")}. Unset options take the
 * admin's defaults. Immutable: each method returns a new stage. Invalid values are rejected with an {@link IllegalArgumentException}.
 */
public final class Stage {

    private static final int LONGEST_HANDLER = 200;
    private static final int MOST_ATTEMPTS = 100;
    private static final int MOST_AT_ONCE = 1_000_000;
    private static final Pattern TOLERANCE = Pattern.compile("ALL|ALWAYS|([0-9]{1,9})(%?)");

    private final String name;
    private final String handler;
    /** Only assigned while a stage is created. */
    private String queue;

    private String webhook;
    private Integer maxAttempts;
    private Backoff backoff;
    private Integer concurrency;
    private String tolerance;

    private Stage(String name, String handler) {
        this.name = name;
        this.handler = handler;
    }

    private Stage(Stage other) {
        this(other.name, other.handler);
        queue = other.queue;
        webhook = other.webhook;
        maxAttempts = other.maxAttempts;
        backoff = other.backoff;
        concurrency = other.concurrency;
        tolerance = other.tolerance;
    }

    /** @param handler display name of the code that processes the tasks */
    public static Stage of(String name, String handler) {
        Checks.shortName("name", name);
        Checks.that(handler != null, "handler is missing");
        Checks.text("handler", handler, LONGEST_HANDLER);
        return new Stage(name, handler);
    }

    /** Sets the queue of its tasks. Default: a queue of its own, {@code pipeline.NAME.STAGE}. */
    public Stage queue(String value) {
        Stage copy = new Stage(this);
        copy.queue = Checks.name("queue", value);
        copy.webhook = null;
        return copy;
    }

    /** Sends its tasks to a webhook instead of a queue, by the webhook's name in the admin's configuration. */
    public Stage webhook(String value) {
        Checks.that(value != null && !value.isBlank(), "webhook is missing");
        Stage copy = new Stage(this);
        copy.webhook = value;
        copy.queue = null;
        return copy;
    }

    /** Sets the maximum number of attempts per task, the first included. Default: 3. */
    public Stage maxAttempts(int value) {
        Checks.that(value >= 1 && value <= MOST_ATTEMPTS, "maxAttempts must be between 1 and " + MOST_ATTEMPTS);
        Stage copy = new Stage(this);
        copy.maxAttempts = value;
        return copy;
    }

    /** Sets the delay after a failed attempt. */
    public Stage backoff(Backoff value) {
        Stage copy = new Stage(this);
        copy.backoff = value;
        return copy;
    }

    /** Sets the maximum number of concurrently executed tasks in the whole cluster. Default: no limit. */
    public Stage concurrency(int value) {
        Checks.that(value >= 1 && value <= MOST_AT_ONCE, "concurrency must be between 1 and " + MOST_AT_ONCE);
        Stage copy = new Stage(this);
        copy.concurrency = value;
        return copy;
    }

    /**
     * Sets how many tasks may fail before the run fails: {@code ALL} must succeed, a number or percentage may fail, or {@code ALWAYS} any
     * number. Default: ALL.
     */
    public Stage tolerance(String value) {
        Checks.that(
                value != null && isTolerance(value),
                "tolerance must be ALL, ALWAYS, a number or a percentage such as 10%");
        Stage copy = new Stage(this);
        copy.tolerance = value;
        return copy;
    }

    private static boolean isTolerance(String text) {
        Matcher form = TOLERANCE.matcher(text);
        return form.matches() && (!"%".equals(form.group(2)) || Integer.parseInt(form.group(1)) <= 100);
    }

    String name() {
        return name;
    }

    Map<String, Object> toBody() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", name);
        body.put("handler", handler);
        put(body, "queue", queue);
        put(body, "webhook", webhook);
        put(body, "maxAttempts", maxAttempts);
        put(body, "backoff", backoff == null ? null : backoff.toBody());
        put(body, "concurrency", concurrency);
        put(body, "tolerance", tolerance);
        return body;
    }

    private static void put(Map<String, Object> body, String name, Object value) {
        if (value != null) {
            body.put(name, value);
        }
    }
}
