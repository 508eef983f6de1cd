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
 * The entities of another feature that messages carry ({@link MessageSpec#entityId}). Each method runs in the transaction that changes
 * the messages, so a message and its entity change together or not at all. The messages are locked; an implementation that locks its
 * own rows afterwards must hold none of them while it waits for a message.
 */
public interface CarriedWork {

    record Carried(long entityId, ClaimedMessage message) {}

    /**
     * What became of the entities of claimed messages, by message.
     *
     * @param tasks what the executor gets with the message
     * @param skipped why the message is of no use any more: it is done at once and not given to the executor
     */
    record Claimed(Map<Long, ClaimedTask> tasks, Map<Long, String> skipped) {

        public Claimed {
            tasks = Map.copyOf(tasks);
            skipped = Map.copyOf(skipped);
        }
    }

    /** How an attempt at a message ended. */
    enum End {
        SUCCEEDED,
        /** It failed, and the message waits for its next attempt. */
        RETRIED,
        /** It failed and was the last one, so the message is done. */
        EXHAUSTED,
        /** It failed permanently, so the message is done. */
        NON_RETRYABLE,
        /** The executor had not started it, so the attempt does not count. The message waits. */
        RETURNED
    }

    /**
     * An attempt that ended.
     *
     * @param claim that the message was under
     * @param lost whether the executor is dead or does not have the message
     * @param error what the executor reported as the reason of a failure, in one line; null of a success
     * @param result what the executor reported; null if it reported nothing
     */
    record Ended(long entityId, Fence claim, End end, boolean lost, String error, MessageResult result) {}

    /** These messages were just claimed for the executor. */
    Claimed claim(String queue, long executorId, List<Carried> messages, Instant at);

    /** What the executor got with these messages, which it still has, when it claimed them. Changes nothing. */
    Map<Long, ClaimedTask> given(long executorId, List<Carried> messages);

    /** The executor does not have these messages any more. */
    void ended(Collection<Ended> messages, Instant at);
}
