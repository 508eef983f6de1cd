package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** An admin's response to {@link TaskContent}, in the order of its items, sent after the commit. */
public record TaskContentReply(List<Item> items) implements WireMessage {

    /** @param verdict recorded, known, stale or cancelled */
    public record Item(long taskId, String ref, TaskVerdict verdict) implements WireMessage {

        public static Item from(JsonObject json) {
            return new Item(json.requiredNumber("taskId"), json.requiredText("ref"), TaskVerdict.from(json));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("taskId", taskId)
                    .put("ref", ref)
                    .put("verdict", verdict.wireName())
                    .toMap();
        }
    }

    public TaskContentReply {
        items = List.copyOf(items);
    }

    public static TaskContentReply from(JsonObject json) {
        return new TaskContentReply(
                json.objects("items").stream().map(Item::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("items", items.stream().map(Item::toJson).toList())
                .toMap();
    }
}
