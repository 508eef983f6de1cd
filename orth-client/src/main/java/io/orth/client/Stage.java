package io.orth.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One step of a pipeline that is defined: {@code Stage.of("topics", "hydrateAll.topics").maxAttempts(5).tolerance("5%")}. What is
 * not said is decided by the admin. Each method returns a new stage; what no pipeline can have is refused with an
 * {@link IllegalArgumentException}.
 */
public final class Stage {

    private static final int LONGEST_HANDLER = 200;
    private static final int MOST_ATTEMPTS = 100;
    private static final int MOST_AT_ONCE = 1_000_000;
    private static final Pattern TOLERANCE = Pattern.compile("ALL|ALWAYS|([0-9]{1,9})(%?)");

    private final String name;
    private final String handler;
    /** Set while a stage is made, never later. */
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

    /** @param handler what people are told its code is called */
    public static Stage of(String name, String handler) {
        Checks.shortName("name", name);
        Checks.that(handler != null, "handler is missing");
        Checks.text("handler", handler, LONGEST_HANDLER);
        return new Stage(name, handler);
    }

    /** Where its tasks go. Default: a queue of its own, {@code pipeline.NAME.STAGE}. */
    public Stage queue(String value) {
        Stage copy = new Stage(this);
        copy.queue = Checks.name("queue", value);
        copy.webhook = null;
        return copy;
    }

    /** Whom its tasks are posted to instead, by the name it has in the admin's configuration. */
    public Stage webhook(String value) {
        Checks.that(value != null && !value.isBlank(), "webhook is missing");
        Stage copy = new Stage(this);
        copy.webhook = value;
        copy.queue = null;
        return copy;
    }

    /** How often a task is tried. Default: 3. */
    public Stage maxAttempts(int value) {
        Checks.that(value >= 1 && value <= MOST_ATTEMPTS, "maxAttempts must be between 1 and " + MOST_ATTEMPTS);
        Stage copy = new Stage(this);
        copy.maxAttempts = value;
        return copy;
    }

    /** How long a task waits after a failed attempt. */
    public Stage backoff(Backoff value) {
        Stage copy = new Stage(this);
        copy.backoff = value;
        return copy;
    }

    /** How many of its tasks are under way at once in the whole cluster. Default: as many as there are workers for. */
    public Stage concurrency(int value) {
        Checks.that(value >= 1 && value <= MOST_AT_ONCE, "concurrency must be between 1 and " + MOST_AT_ONCE);
        Stage copy = new Stage(this);
        copy.concurrency = value;
        return copy;
    }

    /** How many tasks may fail before the run fails: {@code ALL} must succeed, a number, a percentage, or {@code ALWAYS}. Default: ALL. */
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
