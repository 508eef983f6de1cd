package io.orth.admin.queue;

import io.orth.admin.kernel.Fence;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.MessageResult;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Entities of another feature that messages carry ({@link MessageSpec#entityId}). Each method runs in the transaction that changes the
 * messages, so a message and its entity change together or not at all. Lock order: messages, then entities. An implementation must hold
 * none of its row locks while it waits for a message.
 */
public interface CarriedWork {

    record Carried(long entityId, ClaimedMessage message) {}

    /**
     * Result of claiming the entities of messages, by message id.
     *
     * @param tasks tasks that the executor receives with the messages
     * @param skipped reasons why messages are no longer needed: they complete immediately and are not delivered to the executor
     */
    record Claimed(Map<Long, ClaimedTask> tasks, Map<Long, String> skipped) {

        public Claimed {
            tasks = Map.copyOf(tasks);
            skipped = Map.copyOf(skipped);
        }
    }

    /** Result of an attempt at a message. */
    enum End {
        SUCCEEDED,
        /** The attempt failed. The message waits for the next one. */
        RETRIED,
        /** The last attempt failed. The message completes. */
        EXHAUSTED,
        /** The failure is non-retryable. The message completes. */
        NON_RETRYABLE,
        /** The executor released the message before starting it. The attempt does not count, and the message waits. */
        RETURNED
    }

    /**
     * A finished attempt.
     *
     * @param claim the claim under which the executor had the message
     * @param lost whether the executor is dead or does not have the message
     * @param error the reported error in one line; null after a success
     * @param result the executor's report; null if it reported nothing
     */
    record Ended(long entityId, Fence claim, End end, boolean lost, String error, MessageResult result) {}

    /** Called after these messages were claimed for the executor. */
    Claimed claim(String queue, long executorId, List<Carried> messages, Instant at);

    /** Returns the tasks that the executor received when it claimed these messages, which it still has. Changes nothing. */
    Map<Long, ClaimedTask> given(long executorId, List<Carried> messages);

    /** Called after these messages were taken from their executor, whatever the result. */
    void ended(Collection<Ended> messages, Instant at);
}
