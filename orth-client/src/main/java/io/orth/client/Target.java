package io.orth.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** What a task of a pipeline's first stage is about: {@code Target.of("course", "algebra").meta("language", "en")}. */
public final class Target {

    private static final int LONGEST_ID = 200;

    private final String type;
    private final String id;
    private final Object params;
    private final Map<String, String> meta;

    private Target(String type, String id, Object params, Map<String, String> meta) {
        this.type = type;
        this.id = id;
        this.params = params;
        this.meta = meta;
    }

    public static Target of(String type, String id) {
        Checks.shortName("targetType", type);
        Checks.that(id != null, "targetId is missing");
        Checks.text("targetId", id, LONGEST_ID);
        return new Target(type, id, null, Map.of());
    }

    /** What its handler is told about it: JSON text, or anything that can be JSON. */
    public Target params(Object value) {
        return new Target(type, id, value, meta);
    }

    /** Adds a text that the task can be found by, such as its {@code language}. */
    public Target meta(String name, String value) {
        return new Target(type, id, params, Submission.with(meta, name, value));
    }

    Map<String, Object> toBody(Function<Object, String> payloads) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("targetType", type);
        body.put("targetId", id);
        if (params != null) {
            body.put("params", Submission.tree("params", params, payloads));
        }
        if (!meta.isEmpty()) {
            body.put("meta", meta);
        }
        return body;
    }
}
