package io.orth.protocol;

import java.util.Objects;

/**
 * One claim of a message: what every result is fenced by.
 *
 * @param logId the claim's, as in {@link ClaimedMessage}
 * @param executor the instance id of the executor that claimed the message
 */
public record MessageClaim(String queue, long messageId, long logId, String executor) {

    public MessageClaim {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(executor, "executor");
    }
}
