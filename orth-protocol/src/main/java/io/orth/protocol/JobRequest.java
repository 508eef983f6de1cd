package io.orth.protocol;

import java.util.Map;

/** A query or command about one job: the body of {@link ExecutorPaths#IDLE_BEAT} and {@link ExecutorPaths#KILL}. */
public record JobRequest(int jobId) implements WireMessage {

    public static JobRequest from(JsonObject json) {
        return new JobRequest(json.requiredInteger("jobId"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields().put("jobId", jobId).toMap();
    }
}
