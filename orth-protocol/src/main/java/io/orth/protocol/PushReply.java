package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** An admin's response to a {@link PushRequest}, after the messages are committed: one item per message, in order. */
public record PushReply(List<Pushed> messages) implements WireMessage {

    public PushReply {
        messages = List.copyOf(messages);
    }

    /**
     * Outcome for a message.
     *
     * @param id id of the message; if its unique key was taken, the id of the message that holds the key
     * @param duplicate whether the message was not added because its unique key was taken
     */
    public record Pushed(long id, boolean duplicate) implements WireMessage {

        static Pushed from(JsonObject json) {
            return new Pushed(json.requiredNumber("id"), json.flag("duplicate"));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("id", id)
                    .put("duplicate", duplicate ? true : null)
                    .toMap();
        }
    }

    public static PushReply from(JsonObject json) {
        return new PushReply(json.objects("messages").stream().map(Pushed::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("messages", messages.stream().map(Pushed::toJson).toList())
                .toMap();
    }
}
