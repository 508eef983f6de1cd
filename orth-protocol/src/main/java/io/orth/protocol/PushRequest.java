package io.orth.protocol;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Pushes messages to a queue: all of them or, if one is invalid, none.
 *
 * @param idempotencyKey chosen by the sender, one for each push and the same for each repetition. A repeated request, to any admin, adds
 *     nothing and gets the first reply again. 1 to 100 letters, digits, dots, dashes, colons or underscores
 */
public record PushRequest(String queue, String idempotencyKey, List<NewMessage> messages) implements WireMessage {

    /** Maximum number of messages. */
    public static final int MOST = 10_000;

    public PushRequest {
        messages = List.copyOf(messages);
    }

    /** Returns a push with a new idempotency key. */
    public static PushRequest of(String queue, List<NewMessage> messages) {
        return new PushRequest(queue, UUID.randomUUID().toString(), messages);
    }

    public static PushRequest from(JsonObject json) {
        List<JsonObject> messages = json.objects("messages");
        if (messages.size() > MOST) {
            throw new WireFormatException("'messages' must be at most %d".formatted(MOST));
        }
        return new PushRequest(
                json.requiredText("queue"),
                json.requiredText("idempotencyKey"),
                messages.stream().map(NewMessage::from).toList());
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("queue", queue)
                .put("idempotencyKey", idempotencyKey)
                .put("messages", messages.stream().map(NewMessage::toJson).toList())
                .toMap();
    }
}
