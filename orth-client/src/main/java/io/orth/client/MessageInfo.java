package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;
import java.util.Map;

/**
 * A message of a queue.
 *
 * @param status {@code WAITING}, {@code RUNNING}, {@code DONE}, {@code DEAD} or {@code DISCARDED}
 * @param error why the message was dead-lettered; null if it was not
 * @param result the result of its handler
 * @param payload in lists, its first 500 characters
 */
public record MessageInfo(
        long id,
        String queue,
        String status,
        String lane,
        int attempt,
        int maxAttempts,
        Instant pushedAt,
        Instant dueAt,
        Instant statusAt,
        String uniqueKey,
        String groupKey,
        String traceId,
        Map<String, String> metadata,
        String error,
        String result,
        String payload) {

    public MessageInfo {
        metadata = Map.copyOf(metadata);
    }

    static MessageInfo of(JsonObject json) {
        return new MessageInfo(
                json.requiredNumber("id"),
                json.text("queue"),
                json.text("status"),
                json.text("lane"),
                json.integer("attempt", 0),
                json.integer("maxAttempts", 0),
                Answers.instant(json, "pushedAt"),
                Answers.instant(json, "dueAt"),
                Answers.instant(json, "statusAt"),
                json.text("uniqueKey"),
                json.text("groupKey"),
                json.text("traceId"),
                json.texts("metadata"),
                json.text("error"),
                json.text("result"),
                json.text("payload"));
    }
}
