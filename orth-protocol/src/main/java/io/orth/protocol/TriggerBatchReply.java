package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** Outcomes of the triggers of a {@link TriggerBatch}, in order. */
public record TriggerBatchReply(String instanceId, List<Outcome> outcomes) implements WireMessage {

    public TriggerBatchReply {
        outcomes = List.copyOf(outcomes);
    }

    /**
     * {@code code} 200: accepted (now or by an earlier copy of this request); 409: skipped because the job is busy and its block strategy
     * is DISCARD; 503: rejected because the executor is stopping; any other: rejected, see {@code msg}.
     */
    public record Outcome(long logId, int code, String msg) implements WireMessage {

        static Outcome from(JsonObject json) {
            return new Outcome(json.requiredNumber("logId"), json.integer("code", Codes.FAIL), json.text("msg"));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("logId", logId)
                    .put("code", code)
                    .put("msg", msg)
                    .toMap();
        }
    }

    public static TriggerBatchReply from(JsonObject json) {
        return new TriggerBatchReply(
                json.requiredText("instanceId"),
                json.objects("outcomes").stream().map(Outcome::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("instanceId", instanceId)
                .put("outcomes", outcomes.stream().map(Outcome::toJson).toList())
                .toMap();
    }
}
