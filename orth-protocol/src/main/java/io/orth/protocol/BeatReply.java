package io.orth.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/** An executor's response to {@link ExecutorPaths#BEAT}: the plain envelope and the instance id. */
public record BeatReply(String instanceId) implements WireMessage {

    /** Reads a reply; XXL-JOB executors respond without an instance id. */
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
