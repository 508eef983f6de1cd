package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** Many triggers for one executor in one request. */
public record TriggerBatch(List<TriggerRequest> triggers) implements WireMessage {

    public TriggerBatch {
        triggers = List.copyOf(triggers);
    }

    public static TriggerBatch from(JsonObject json) {
        return new TriggerBatch(
                json.objects("triggers").stream().map(TriggerRequest::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return Map.of("triggers", triggers.stream().map(TriggerRequest::toJson).toList());
    }
}
