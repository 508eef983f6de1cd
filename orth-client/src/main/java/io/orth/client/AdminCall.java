package io.orth.client;

import io.orth.protocol.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Supplier;

/**
 * One call of the API.
 *
 * @param body null where there is none
 * @param key makes a repetition harmless that would not be otherwise; null where there is none
 * @param repeatable whether it may be sent again when it is not known what became of it
 */
record AdminCall(String method, String path, Body body, String key, boolean repeatable) {

    /**
     * What is sent along.
     *
     * @param type as the header {@code Content-Type} names it
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

    /** What has the same effect however often it is done. */
    static AdminCall put(String path) {
        return new AdminCall("POST", path, null, null, true);
    }

    /** The same with a body. */
    static AdminCall put(String path, Map<String, Object> body) {
        return new AdminCall("POST", path, Body.json(body), null, true);
    }

    /** Makes something be like this; the same again changes nothing. */
    static AdminCall declare(String path, Map<String, Object> body) {
        return new AdminCall("PUT", path, Body.json(body), null, true);
    }

    /** The same by a file, which may name the version that it follows; then the second time would be refused. */
    static AdminCall declare(String path, String yaml) {
        return new AdminCall("PUT", path, Body.yaml(yaml), null, false);
    }

    /** What must not be done twice. */
    static AdminCall post(String path, Map<String, Object> body) {
        return new AdminCall("POST", path, Body.json(body), null, false);
    }

    /** What is done once for a key. */
    static AdminCall once(String path, String key, Map<String, Object> body) {
        return new AdminCall("POST", path, Body.json(body), key, true);
    }

    /** Query parameters; those whose value is null are left out. */
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
