package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** Steps reported by tasks for the execution log. */
public record TaskSteps(String instanceId, List<Item> items) implements WireMessage {

    /**
     * @param logId log id of the claim under which the task runs
     * @param payload JSON text
     */
    public record Item(long taskId, long logId, String payload) implements WireMessage {

        public static Item from(JsonObject json) {
            return new Item(json.requiredNumber("taskId"), json.requiredNumber("logId"), json.requiredText("payload"));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("taskId", taskId)
                    .put("logId", logId)
                    .put("payload", payload)
                    .toMap();
        }
    }

    public TaskSteps {
        items = List.copyOf(items);
    }

    public static TaskSteps from(JsonObject json) {
        return new TaskSteps(
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
