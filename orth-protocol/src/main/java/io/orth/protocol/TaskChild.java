package io.orth.protocol;

import java.util.Map;

/**
 * A task that a finished task proposes for the next stage.
 *
 * @param params JSON text, or null
 */
public record TaskChild(String targetType, String targetId, String params, Map<String, String> meta)
        implements ToldMessage {

    public TaskChild {
        meta = meta == null ? Map.of() : Map.copyOf(meta);
    }

    public static TaskChild from(JsonObject json) {
        return new TaskChild(
                json.requiredText("targetType"),
                json.requiredText("targetId"),
                json.text("params"),
                json.texts("meta"));
    }

    @Override
    public void tell(FieldSink fields) {
        fields.put("targetType", targetType)
                .put("targetId", targetId)
                .put("params", params)
                .putTexts("meta", meta);
    }
}
