package io.orth.admin.queue;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Move;
import io.orth.admin.kernel.RetryDecision.Outcome;
import io.orth.admin.queue.MessageRepository.HeldMessage;
import java.time.Duration;

/**
 * A requested status transition of a message.
 *
 * @param fence the claim that must hold it; null if no executor may hold it
 * @param failure failure of the attempt; null if it did not fail
 * @param delay delay until the next attempt; null to keep the due time
 * @param text the result or error of a finished message; the new payload of a retried dead letter, null to keep its own
 * @param runMillis run time of the handler
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

    /** Returns the transition of a message that an executor claims. */
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

    /** Returns the transition of a released message. The attempt does not count. */
    static MessageMove returned(long id, Fence fence) {
        return new MessageMove(
                id, MessageStatus.RUNNING, MessageStatus.WAITING, MessageCause.RETURNED, fence, null, null, null, 0);
    }

    /**
     * Returns the transition after a failed attempt. If the last attempt of a message with a task fails, the task fails and can be retried
     * there. So the message completes and does not become a dead letter.
     *
     * @param why the cause if there is a further attempt
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

    /** @param from waiting or dead */
    static MessageMove discarded(long id, MessageStatus from) {
        return decided(id, from, MessageStatus.DISCARDED, MessageCause.DISCARDED, null);
    }

    private static MessageMove decided(
            long id, MessageStatus from, MessageStatus to, MessageCause reason, String text) {
        return new MessageMove(id, from, to, reason, null, null, null, text, 0);
    }

    /** Returns whether an executor has reported the result of the attempt. */
    boolean isReported() {
        return from == MessageStatus.RUNNING
                && reason != MessageCause.RETURNED
                && (failure == null || !failure.isLoss());
    }
}
