package io.orth.protocol;

import java.util.List;
import java.util.Map;

/** An application puts messages into a queue: all of them or, where one is bad, none. */
public record PushRequest(String queue, List<NewMessage> messages) implements WireMessage {

    /** How many at once. */
    public static final int MOST = 10_000;

    public PushRequest {
        messages = List.copyOf(messages);
    }

    public static PushRequest from(JsonObject json) {
        List<JsonObject> messages = json.objects("messages");
        if (messages.size() > MOST) {
            throw new WireFormatException("'messages' must be at most %d".formatted(MOST));
        }
        return new PushRequest(
                json.requiredText("queue"),
                messages.stream().map(NewMessage::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("queue", queue)
                .put("messages", messages.stream().map(NewMessage::toJson).toList())
                .toMap();
    }
}
