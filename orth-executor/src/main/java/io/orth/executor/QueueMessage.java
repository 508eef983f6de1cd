package io.orth.executor;

import io.orth.protocol.MessageClaim;
import java.time.Instant;
import java.util.Map;

/**
 * The queue message that a handler processes.
 *
 * @param id the same for all attempts at the message
 * @param attempt number of this attempt, from 1
 * @param maxAttempts number of attempts, the first included, after which the message becomes a dead letter
 * @param metadata key-value pairs from the producer, in addition to the payload
 * @param pushedAt when the message was pushed
 * @param claim identifies this attempt, to complete the message in a database transaction of the handler
 */
public record QueueMessage(
        String queue,
        long id,
        int attempt,
        int maxAttempts,
        Map<String, String> metadata,
        Instant pushedAt,
        MessageClaim claim) {

    /** Creates a message without a claim, for tests of handlers. */
    public QueueMessage(
            String queue, long id, int attempt, int maxAttempts, Map<String, String> metadata, Instant pushedAt) {
        this(queue, id, attempt, maxAttempts, metadata, pushedAt, new MessageClaim(queue, id, id, "none"));
    }

    public QueueMessage {
        metadata = Map.copyOf(metadata);
    }

    /** Returns whether the message becomes a dead letter if this attempt fails. */
    public boolean isLastAttempt() {
        return attempt >= maxAttempts;
    }
}
