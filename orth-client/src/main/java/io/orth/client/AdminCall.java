package io.orth.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * One call of the API.
 *
 * @param body null where there is none
 * @param key makes a repetition harmless that would not be otherwise; null where there is none
 * @param repeatable whether it may be sent again when it is not known what became of it
 */
record AdminCall(String method, String path, Map<String, Object> body, String key, boolean repeatable) {

    static AdminCall get(String path) {
        return new AdminCall("GET", path, null, null, true);
    }

    /** What has the same effect however often it is done. */
    static AdminCall put(String path) {
        return new AdminCall("POST", path, null, null, true);
    }

    /** What must not be done twice. */
    static AdminCall post(String path, Map<String, Object> body) {
        return new AdminCall("POST", path, body, null, false);
    }

    /** What is done once for a key. */
    static AdminCall once(String path, String key, Map<String, Object> body) {
        return new AdminCall("POST", path, body, key, true);
    }

    /** Query parameters; those whose value is null are left out. */
    static final class Query {

        private final Map<String, Object> parameters = new LinkedHashMap<>();

        Query with(String name, Object value) {
            parameters.put(name, value);
            return this;
        }

        String after(String path) {
            StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
            parameters.forEach((name, value) -> {
                if (value != null) {
                    query.add(name + "=" + URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
                }
            });
            return path + query;
        }
    }
}
