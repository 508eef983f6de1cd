package io.orth.admin.queue;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Move;
import io.orth.admin.kernel.RetryDecision.Outcome;
import io.orth.admin.queue.MessageRepository.HeldMessage;
import java.time.Duration;

/**
 * A status change wanted for one message.
 *
 * @param fence the claim it must be under; null where it must be with no executor
 * @param failure how the attempt failed; null where it did not
 * @param delay how long it waits for the next attempt; null if its due time stays
 * @param text the result or error of a message that is done; the new payload of a dead letter that is retried, null for its own
 * @param runMillis how long the handler took
 */
record MessageMove(
        long id,
        MessageStatus from,
        MessageStatus to,
        MessageCause reason,
        Fence fence,
        Failure failure,
        Duration delay,
        String text,
        long runMillis)
        implements Move<MessageStatus> {

    /** It goes to an executor. */
    static MessageMove claimed(long id) {
        return decided(id, MessageStatus.WAITING, MessageStatus.RUNNING, MessageCause.CLAIMED, null);
    }

    static MessageMove done(long id, Fence fence, String result, long runMillis) {
        return new MessageMove(
                id,
                MessageStatus.RUNNING,
                MessageStatus.DONE,
                MessageCause.COMPLETED,
                fence,
                null,
                null,
                result,
                runMillis);
    }

    /** The attempt does not count. */
    static MessageMove returned(long id, Fence fence) {
        return new MessageMove(
                id, MessageStatus.RUNNING, MessageStatus.WAITING, MessageCause.RETURNED, fence, null, null, null, 0);
    }

    /**
     * The attempt failed. A task that the message carries fails with its last attempt and can be retried there, so its message is done
     * then and is no dead letter.
     *
     * @param why the cause if there is another attempt
     */
    static MessageMove failed(HeldMessage held, Outcome outcome, MessageCause why, Failure failure, Duration delay) {
        MessageStatus last = held.entityId() == null ? MessageStatus.DEAD : MessageStatus.DONE;
        return new MessageMove(
                held.id(),
                MessageStatus.RUNNING,
                outcome == Outcome.RETRY ? MessageStatus.WAITING : last,
                switch (outcome) {
                    case RETRY -> why;
                    case EXHAUSTED -> MessageCause.EXHAUSTED;
                    case NON_RETRYABLE -> MessageCause.FAILED_FOR_GOOD;
                },
                new Fence(held.executorId(), held.logId()),
                failure,
                delay,
                failure.error(),
                failure.runMillis());
    }

    static MessageMove revived(long id, String payload) {
        return decided(id, MessageStatus.DEAD, MessageStatus.WAITING, MessageCause.RETRIED, payload);
    }

    /** @param from waiting or given up */
    static MessageMove discarded(long id, MessageStatus from) {
        return decided(id, from, MessageStatus.DISCARDED, MessageCause.DISCARDED, null);
    }

    private static MessageMove decided(
            long id, MessageStatus from, MessageStatus to, MessageCause reason, String text) {
        return new MessageMove(id, from, to, reason, null, null, null, text, 0);
    }

    /** Whether an executor has told how the attempt ended. */
    boolean isReported() {
        return from == MessageStatus.RUNNING
                && reason != MessageCause.RETURNED
                && (failure == null || !failure.isLoss());
    }
}
