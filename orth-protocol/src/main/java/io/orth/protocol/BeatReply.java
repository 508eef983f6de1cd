package io.orth.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/** An executor's answer to {@link ExecutorPaths#BEAT}: the plain envelope, plus who answered. */
public record BeatReply(String instanceId) implements WireMessage {

    /** Foreign executors answer without an instance id. */
    public static BeatReply from(JsonObject json) {
        return new BeatReply(json.text("instanceId"));
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>(Reply.ok().toJson());
        json.put("instanceId", instanceId);
        return json;
    }
}
