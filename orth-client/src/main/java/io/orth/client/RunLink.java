package io.orth.client;

import io.orth.protocol.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A link to something that a pipeline run produced.
 *
 * @param name display name, 1 to 100 characters
 * @param url http or https, up to 2,000 characters
 */
public record RunLink(String name, String url) {

    static RunLink of(JsonObject json) {
        return new RunLink(json.requiredText("name"), json.requiredText("url"));
    }

    Map<String, Object> toBody() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", name);
        body.put("url", url);
        return body;
    }
}
