package io.orth.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The subject of a task of a pipeline's first stage: {@code Target.of("course", "algebra").meta("language", "en")}. */
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

    /** Sets the parameters of its handler: JSON text, or any value that can be written as JSON. */
    public Target params(Object value) {
        return new Target(type, id, value, meta);
    }

    /** Adds a text that tasks can be filtered by, such as {@code language}. */
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
