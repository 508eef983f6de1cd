package io.orth.executor;

import io.orth.protocol.MessageClaim;
import java.time.Instant;
import java.util.Map;

/**
 * The message of a queue that a handler works on.
 *
 * @param id the same for all attempts at the message
 * @param attempt which attempt this is, from 1
 * @param maxAttempts after how many failed attempts it becomes a dead letter
 * @param metadata what the producer gave with it, beside the payload
 * @param pushedAt when it was put into the queue
 * @param claim names this attempt, to complete the message inside the handler's own database transaction
 */
public record QueueMessage(
        String queue,
        long id,
        int attempt,
        int maxAttempts,
        Map<String, String> metadata,
        Instant pushedAt,
        MessageClaim claim) {

    /** A message that no executor claimed, for tests of handlers. */
    public QueueMessage(
            String queue, long id, int attempt, int maxAttempts, Map<String, String> metadata, Instant pushedAt) {
        this(queue, id, attempt, maxAttempts, metadata, pushedAt, new MessageClaim(queue, id, id, "none"));
    }

    public QueueMessage {
        metadata = Map.copyOf(metadata);
    }

    /** Whether the message becomes a dead letter if this attempt fails. */
    public boolean isLastAttempt() {
        return attempt >= maxAttempts;
    }
}
