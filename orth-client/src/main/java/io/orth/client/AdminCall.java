package io.orth.client;

import io.orth.protocol.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Supplier;

/**
 * One call of the REST API.
 *
 * @param body null for none
 * @param key idempotency key, which makes repeating the call safe; null for none
 * @param repeatable whether the call may be sent again if its result is unknown
 */
record AdminCall(String method, String path, Body body, String key, boolean repeatable) {

    /**
     * Request body.
     *
     * @param type value of the header {@code Content-Type}
     */
    record Body(String type, Supplier<byte[]> bytes) {

        static Body json(Map<String, Object> tree) {
            return new Body("application/json", () -> Json.write(tree));
        }

        static Body yaml(String text) {
            return new Body("application/yaml", () -> text.getBytes(StandardCharsets.UTF_8));
        }
    }

    static AdminCall get(String path) {
        return new AdminCall("GET", path, null, null, true);
    }

    /** Returns an idempotent POST call. */
    static AdminCall put(String path) {
        return new AdminCall("POST", path, null, null, true);
    }

    /** Returns an idempotent POST call with a body. */
    static AdminCall put(String path, Map<String, Object> body) {
        return new AdminCall("POST", path, Body.json(body), null, true);
    }

    /** Returns a PUT call that creates or updates an object; repeating it changes nothing. */
    static AdminCall declare(String path, Map<String, Object> body) {
        return new AdminCall("PUT", path, Body.json(body), null, true);
    }

    /**
     * Returns a PUT call with a YAML file. Not repeatable, because the file may name the version that it replaces: a repetition would be
     * rejected.
     */
    static AdminCall declare(String path, String yaml) {
        return new AdminCall("PUT", path, Body.yaml(yaml), null, false);
    }

    /** Returns a call that must not be sent twice. */
    static AdminCall post(String path, Map<String, Object> body) {
        return new AdminCall("POST", path, Body.json(body), null, false);
    }

    /** Returns a call that is executed once per key. */
    static AdminCall once(String path, String key, Map<String, Object> body) {
        return new AdminCall("POST", path, Body.json(body), key, true);
    }

    /** Query parameters; parameters with a null value are omitted. */
    static final class Query {

        private final Map<String, Object> parameters = new LinkedHashMap<>();

        Query with(String name, Object value) {
            parameters.put(name, value);
            return this;
        }

        Query withMeta(Map<String, String> meta) {
            meta.forEach((key, value) -> with("meta." + key, value));
            return this;
        }

        String after(String path) {
            StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
            parameters.forEach((name, value) -> {
                if (value != null) {
                    query.add(encode(name) + "=" + encode(value.toString()));
                }
            });
            return path + query;
        }

        private static String encode(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }
    }
}
