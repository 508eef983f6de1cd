package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** An admin's answer to {@link TaskFinish}, in the order of its results, after what it says is committed. */
public record TaskFinishReply(List<Item> results) implements WireMessage {

    /** @param verdict recorded, stale or cancelled: the executor forgets the task in any case */
    public record Item(long taskId, int attempt, TaskVerdict verdict) implements WireMessage {

        public static Item from(JsonObject json) {
            return new Item(json.requiredNumber("taskId"), json.requiredInteger("attempt"), TaskVerdict.from(json));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("taskId", taskId)
                    .put("attempt", attempt)
                    .put("verdict", verdict.wireName())
                    .toMap();
        }
    }

    public TaskFinishReply {
        results = List.copyOf(results);
    }

    public static TaskFinishReply from(JsonObject json) {
        return new TaskFinishReply(
                json.objects("results").stream().map(Item::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("results", results.stream().map(Item::toJson).toList())
                .toMap();
    }
}
