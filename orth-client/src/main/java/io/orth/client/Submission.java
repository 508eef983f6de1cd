package io.orth.client;

import io.orth.protocol.Json;
import io.orth.protocol.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A request to run a pipeline: {@code Submission.of(Target.of("course", "algebra")).options(Map.of("force", true))}. Immutable: each method
 * returns a new submission. Invalid values are rejected with an {@link IllegalArgumentException}.
 */
public final class Submission {

    private static final String TARGETS = "targets";
    private static final int MOST_TARGETS = 1_000;
    private static final int MOST_META = 20;
    private static final int LONGEST_META_NAME = 64;
    private static final int LONGEST_META = 256;
    private static final int LONGEST_KEY = 200;

    private final List<Target> targets;
    /** Only assigned while a submission is created. */
    private Object scope;

    private Object options;
    private Map<String, String> meta = Map.of();
    private String key;

    private Submission(List<Target> targets) {
        this.targets = targets;
    }

    private Submission(Submission other) {
        this(other.targets);
        scope = other.scope;
        options = other.options;
        meta = other.meta;
        key = other.key;
    }

    /** @param targets the targets of the first stage, one task each; if empty, the stage has one task, which may propose children */
    public static Submission of(Target... targets) {
        return of(Arrays.asList(targets));
    }

    /** @param targets up to 1,000 */
    public static Submission of(List<Target> targets) {
        Checks.that(targets.size() <= MOST_TARGETS, "scope.targets must be at most " + MOST_TARGETS);
        return new Submission(List.copyOf(targets));
    }

    /** Sets an object that every task's handler receives: a record, a map or JSON text. Its field {@code targets} defines the targets. */
    public Submission scope(Object value) {
        Submission copy = new Submission(this);
        copy.scope = value;
        return copy;
    }

    /** Sets an object that every task's handler receives in addition to the scope. */
    public Submission options(Object value) {
        Submission copy = new Submission(this);
        copy.options = value;
        return copy;
    }

    /** Adds a text that is stored with the run. */
    public Submission meta(String name, String value) {
        Submission copy = new Submission(this);
        copy.meta = with(meta, name, value);
        return copy;
    }

    /**
     * Sets the idempotency key: a repeated submission with the same key returns the same run, even after a restart of the application.
     * Without a key, each submission creates a run.
     */
    public Submission key(String value) {
        Checks.that(
                value != null
                        && !value.isBlank()
                        && value.length() <= LONGEST_KEY
                        && value.chars().allMatch(c -> c >= ' ' && c < 127),
                "key must have 1 to %d characters of ASCII and no control characters".formatted(LONGEST_KEY));
        Submission copy = new Submission(this);
        copy.key = value;
        return copy;
    }

    /** Returns null if no key was set. */
    String key() {
        return key;
    }

    Map<String, Object> toBody(Function<Object, String> payloads) {
        Map<String, Object> body = new LinkedHashMap<>();
        Map<String, Object> whole = object("scope", scope, payloads);
        if (!targets.isEmpty()) {
            Checks.that(!whole.containsKey(TARGETS), "scope.targets are given twice");
            whole.put(
                    TARGETS,
                    targets.stream().map(target -> target.toBody(payloads)).toList());
        }
        body.put("scope", whole);
        body.put("options", object("options", options, payloads));
        if (!meta.isEmpty()) {
            body.put("meta", meta);
        }
        return body;
    }

    private static Map<String, Object> object(String field, Object value, Function<Object, String> payloads) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (value == null) {
            return object;
        }
        if (!(tree(field, value, payloads) instanceof Map<?, ?> tree)) {
            throw new IllegalArgumentException(field + " must be a JSON object");
        }
        tree.forEach((name, each) -> object.put((String) name, each));
        return object;
    }

    static Object tree(String field, Object value, Function<Object, String> payloads) {
        String text = value instanceof String same ? same : payloads.apply(value);
        try {
            return PayloadJson.tree(Json.read(text.getBytes(StandardCharsets.UTF_8)), field);
        } catch (WireFormatException e) {
            throw new IllegalArgumentException("%s is %s".formatted(field, e.getMessage()), e);
        }
    }

    static Map<String, String> with(Map<String, String> meta, String name, String value) {
        Checks.text("meta", name, LONGEST_META_NAME);
        Checks.that(
                value.length() <= LONGEST_META && value.chars().noneMatch(Character::isISOControl),
                "meta.%s must have at most %d characters and no control characters".formatted(name, LONGEST_META));
        Map<String, String> more = new LinkedHashMap<>(meta);
        more.put(name, value);
        Checks.that(more.size() <= MOST_META, "meta must have at most %d entries".formatted(MOST_META));
        return Map.copyOf(more);
    }
}
