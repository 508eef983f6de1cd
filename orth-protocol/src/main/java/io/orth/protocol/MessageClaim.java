package io.orth.protocol;

import java.util.Objects;

/**
 * One claim of a message; every result is fenced by it.
 *
 * @param logId log id of the claim, as in {@link ClaimedMessage}
 * @param executor instance id of the executor that claimed the message
 */
public record MessageClaim(String queue, long messageId, long logId, String executor) {

    public MessageClaim {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(executor, "executor");
    }
}
