package io.orth.protocol;

import java.util.List;
import java.util.Map;

/**
 * An admin's answer to a {@link WorkRequest}, after the results are committed.
 *
 * @param refused messages whose results did not count: they were given to others, or have ended. The executor forgets them too
 */
public record WorkReply(List<Long> refused, List<ClaimedMessage> messages) implements WireMessage {

    public WorkReply {
        refused = List.copyOf(refused);
        messages = List.copyOf(messages);
    }

    public static WorkReply from(JsonObject json) {
        return new WorkReply(
                json.numbers("refused"),
                json.objects("messages").stream().map(ClaimedMessage::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("refused", refused)
                .put("messages", messages.stream().map(ClaimedMessage::toJson).toList())
                .toMap();
    }
}
