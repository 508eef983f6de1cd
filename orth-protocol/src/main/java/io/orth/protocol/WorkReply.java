package io.orth.protocol;

import java.util.List;

/**
 * An admin's answer to a {@link WorkRequest}, after the results are committed.
 *
 * @param refused messages whose results did not count: they were given to others, or have ended. The executor forgets them too
 */
public record WorkReply(List<Long> refused, List<ClaimedMessage> messages) implements ToldMessage {

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
    public void tell(FieldSink fields) {
        fields.putNumbers("refused", refused).putMessages("messages", messages);
    }
}
