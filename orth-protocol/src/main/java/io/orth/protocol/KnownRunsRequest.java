package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** Query for the state of these log ids. */
public record KnownRunsRequest(List<Long> logIds) implements WireMessage {

    public KnownRunsRequest {
        logIds = List.copyOf(logIds);
    }

    public static KnownRunsRequest from(JsonObject json) {
        return new KnownRunsRequest(json.numbers("logIds"));
    }

    @Override
    public Map<String, Object> toJson() {
        return Map.of("logIds", logIds);
    }
}
