package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** An admin's response to {@link TaskSteps}, in the order of its items, sent after the commit. */
public record TaskStepsReply(List<Item> items) implements WireMessage {

    /** @param verdict recorded, full, stale or cancelled */
    public record Item(long taskId, TaskVerdict verdict) implements WireMessage {

        public static Item from(JsonObject json) {
            return new Item(json.requiredNumber("taskId"), TaskVerdict.from(json));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("taskId", taskId)
                    .put("verdict", verdict.wireName())
                    .toMap();
        }
    }

    public TaskStepsReply {
        items = List.copyOf(items);
    }

    public static TaskStepsReply from(JsonObject json) {
        return new TaskStepsReply(json.objects("items").stream().map(Item::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("items", items.stream().map(Item::toJson).toList())
                .toMap();
    }
}
