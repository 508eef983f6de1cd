package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** What tasks have made, by reference: each recorded once for its task, however often it is said. */
public record TaskContent(String instanceId, List<Item> items) implements WireMessage {

    /**
     * One piece of content.
     *
     * @param logId of the claim under which the task made it
     * @param ref names it where it is kept
     * @param size in bytes
     * @param status null for {@code stored}
     */
    public record Item(long taskId, long logId, String ref, long size, String status) implements WireMessage {

        public static Item from(JsonObject json) {
            return new Item(
                    json.requiredNumber("taskId"),
                    json.requiredNumber("logId"),
                    json.requiredText("ref"),
                    json.number("size", 0),
                    json.text("status"));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("taskId", taskId)
                    .put("logId", logId)
                    .put("ref", ref)
                    .put("size", size)
                    .put("status", status)
                    .toMap();
        }
    }

    public TaskContent {
        items = List.copyOf(items);
    }

    public static TaskContent from(JsonObject json) {
        return new TaskContent(
                json.requiredText("instanceId"),
                json.objects("items").stream().map(Item::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("instanceId", instanceId)
                .put("items", items.stream().map(Item::toJson).toList())
                .toMap();
    }
}
