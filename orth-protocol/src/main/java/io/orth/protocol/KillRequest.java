package io.orth.protocol;

import java.util.List;
import java.util.Map;

/**
 * Kills these runs and no others.
 *
 * @param reason becomes part of their results
 */
public record KillRequest(List<Long> logIds, String reason) implements WireMessage {

    public KillRequest {
        logIds = List.copyOf(logIds);
    }

    public static KillRequest from(JsonObject json) {
        return new KillRequest(json.numbers("logIds"), json.text("reason", "killed"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields().put("logIds", logIds).put("reason", reason).toMap();
    }
}
