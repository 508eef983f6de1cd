package io.orth.admin.queue;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Move;
import java.time.Duration;

/**
 * A status change wanted for one message.
 *
 * @param fence the claim it must be under; null where it must be with no executor
 * @param failure how the attempt failed; null where it did not
 * @param delay how long it waits for the next attempt; null where it is due as it was
 * @param text what the handler said of a message that is done; the payload of one that gets another chance, null for its own
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

    static MessageMove done(long id, long logId, long executorId, String result, long runMillis) {
        return ended(id, MessageStatus.DONE, MessageCause.COMPLETED, logId, executorId, null, null, result, runMillis);
    }

    /** The message is done though its attempt failed: what it carries has failed, and is no dead letter. */
    static MessageMove failed(long id, long logId, long executorId, MessageCause why, Failure failure) {
        return ended(
                id, MessageStatus.DONE, why, logId, executorId, failure, null, failure.error(), failure.runMillis());
    }

    /** The attempt does not count. */
    static MessageMove returned(long id, long logId, long executorId) {
        return ended(id, MessageStatus.WAITING, MessageCause.RETURNED, logId, executorId, null, null, null, 0);
    }

    static MessageMove retried(
            long id, long logId, long executorId, MessageCause why, Failure failure, Duration delay) {
        return ended(id, MessageStatus.WAITING, why, logId, executorId, failure, delay, null, failure.runMillis());
    }

    static MessageMove dead(long id, long logId, long executorId, MessageCause why, Failure failure) {
        return ended(id, MessageStatus.DEAD, why, logId, executorId, failure, null, null, failure.runMillis());
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

    private static MessageMove ended(
            long id,
            MessageStatus to,
            MessageCause reason,
            long logId,
            long executorId,
            Failure failure,
            Duration delay,
            String result,
            long runMillis) {
        return new MessageMove(
                id, MessageStatus.RUNNING, to, reason, new Fence(executorId, logId), failure, delay, result, runMillis);
    }

    /** Whether an executor has told how the attempt ended. */
    boolean isReported() {
        return from == MessageStatus.RUNNING
                && reason != MessageCause.RETURNED
                && (failure == null || !failure.isLoss());
    }
}
