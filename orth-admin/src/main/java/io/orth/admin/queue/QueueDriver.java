package io.orth.admin.queue;

import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.PushReply.Pushed;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where messages are kept. Each call is one step: it happens as a whole or not at all, and has happened when it returns. All take
 * many messages at once, since that is what makes a queue fast.
 */
public interface QueueDriver {

    /**
     * An executor asks for messages.
     *
     * @param id made up by the executor; the same again means that the answer got lost, and gets the same messages
     * @param strand tells claims apart that an executor makes at once
     * @param slots how many messages at most
     * @param held how many it has already
     */
    record Claim(long executorId, int strand, String id, int slots, int held) {}

    /**
     * What came of a step of an executor.
     *
     * @param refused results that did not count
     * @param counted how many results did
     * @param opens whether the results let other messages be begun: the next of a group, one that is tried again
     */
    record Turn(List<Long> refused, int counted, List<ClaimedMessage> messages, boolean opens) {

        public Turn {
            refused = List.copyOf(refused);
            messages = List.copyOf(messages);
        }
    }

    /** Adds messages; one answer for each, in their order. */
    List<Pushed> push(Queue queue, List<MessageSpec> messages);

    /** Adds messages once: the same id again, within a day, adds nothing and gets the same answer. */
    List<Pushed> pushOnce(Queue queue, String id, List<MessageSpec> messages);

    /** Whether what it does is part of the caller's transaction, where there is one. */
    default boolean joinsTransactions() {
        return false;
    }

    /** Records results, then gives messages that are due, the most urgent and oldest first; none where the queue is paused. */
    Turn work(String queue, List<MessageResult> results, Claim claim);

    /**
     * Tries again for who got nothing and waits.
     *
     * @return empty where nobody waits under this claim any more: the executor has made another meanwhile, or is gone
     */
    Optional<List<ClaimedMessage>> tryAgain(String queue, Claim claim);

    /** What this claim was given before, should the answer have got lost, as far as the executor still has it. */
    List<ClaimedMessage> given(String queue, Claim claim);

    /**
     * Gives messages that were given up another chance, behind those that wait and with all attempts.
     *
     * @param payloads what they are to have instead of their own, by id; null for their own
     * @return those that were given up
     */
    Set<Long> retry(String queue, Map<Long, String> payloads);

    /** Ends messages that wait or were given up; returns those that did. */
    Set<Long> discard(String queue, Collection<Long> waiting, Collection<Long> dead);

    /**
     * Messages that wait, delayed ones among them, in the order of their ids.
     *
     * @param after those with higher ids
     * @param pushedBefore those pushed before then
     */
    List<Long> waiting(String queue, long after, Instant pushedBefore, int limit);

    /** How many messages of each queue could be begun now, were there somebody to; counted up to {@code most}. */
    Map<String, Integer> ready(Collection<String> queues, int most);

    /** When the queue's next message is due, or may be begun by its limits; empty where it is paused or has none. */
    Optional<Instant> nextDue(String queue);

    /** Puts messages of executors that are gone back, of each queue up to {@code limit}; returns how many. */
    int release(int limit);
}
