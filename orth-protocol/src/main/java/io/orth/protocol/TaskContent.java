package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** References to content created by tasks. Each reference is recorded once per task, even if it is reported repeatedly. */
public record TaskContent(String instanceId, List<Item> items) implements WireMessage {

    /**
     * One piece of content.
     *
     * @param logId log id of the claim under which the task created it
     * @param ref reference to the content in its store
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
