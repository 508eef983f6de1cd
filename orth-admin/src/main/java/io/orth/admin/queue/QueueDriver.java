package io.orth.admin.queue;

import io.orth.admin.registry.HeldWork;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.PushReply.Pushed;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where messages are kept. Each call is one step: it happens as a whole or not at all, and has happened when it returns. All take
 * many messages at once, since that is what makes a queue fast.
 *
 * <p>Queues, their settings and their workers are always in the database. A driver that keeps messages elsewhere learns through
 * {@link #changed} how a queue is set up, and shows its messages through a {@link QueueReader}.
 */
public interface QueueDriver {

    /**
     * An executor asks for messages.
     *
     * @param id made up by the executor; the same again means that the answer got lost, and gets the same messages
     * @param strand tells claims apart that an executor makes at once
     * @param turn rises with each claim of a strand; one that is older than another which was made gets nothing
     * @param received the last turn that the executor got messages in: what was given to a later one went astray, and is given again
     *     instead of anything else, whatever the slots
     * @param slots how many messages at most
     * @param held how many it has already
     */
    record Claim(long executorId, int strand, String id, long turn, long received, int slots, int held) {

        /** A step that asks for no messages. */
        static Claim none(long executorId) {
            return new Claim(executorId, 0, "", 0, 0, 0, 0);
        }
    }

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

    /** @param messages what the waiting claim got; empty if its executor does not wait under it any more */
    record Handed(List<Pushed> pushed, Optional<List<ClaimedMessage>> messages) {

        public Handed {
            pushed = List.copyOf(pushed);
            messages = messages.map(List::copyOf);
        }

        /** Whether the waiting claim got all that was pushed. */
        boolean isComplete() {
            Set<Long> given =
                    messages.orElse(List.of()).stream().map(ClaimedMessage::id).collect(Collectors.toSet());
            return pushed.stream().allMatch(each -> given.contains(each.id()));
        }
    }

    /** How many messages were taken from an executor that is gone; its instance is null if it is not known any more. */
    record Released(String queue, String instanceId, int messages) {}

    /** A message that an executor has claimed and not reported. */
    record InFlight(String queue, long id, long executorId, long logId, Duration age) implements HeldWork.Held {}

    /** Where a walk through the messages of a queue is: they are in the order of claims, lane by lane. */
    record Place(int lane, Instant dueAt, long id) {

        static final Place START = new Place(0, Instant.EPOCH, 0);
    }

    /**
     * A part of such a walk.
     *
     * @param read how many messages were read for it
     * @param next where the next part starts; empty after the last
     */
    record InFlightPart(List<InFlight> messages, int read, Optional<Place> next) {

        static final InFlightPart NONE = new InFlightPart(List.of(), 0, Optional.empty());

        public InFlightPart {
            messages = List.copyOf(messages);
        }
    }

    /**
     * The queue was paused, resumed, or has other limits. They hold for all claims from when this returns. May be called without a
     * change. A driver that reads the queue's row in each step has nothing to do.
     */
    default void changed(Queue queue) {}

    /**
     * Adds messages; one answer for each, in their order.
     *
     * @param id the same id again, within a day, adds nothing and gets the same answer; null if the push is never repeated
     */
    List<Pushed> push(String queue, String id, List<MessageSpec> messages);

    /** The same, and in the same step tries again for a claim that waits, as {@link #tryAgain} does. */
    Handed push(String queue, String id, List<MessageSpec> messages, Claim waiting);

    /**
     * Whether it joins the caller's transaction. Other drivers are never called inside one: what belongs to a call is committed
     * afterwards, and if that fails, the call is repeated.
     */
    default boolean joinsTransactions() {
        return false;
    }

    /** Records results, then gives messages that are due, the most urgent and oldest first; none where the queue is paused. */
    Turn work(String queue, List<MessageResult> results, Claim claim);

    /** Tries again for a claim that got nothing and waits. Returns empty if the executor has made another since, or is gone. */
    Optional<List<ClaimedMessage>> tryAgain(String queue, Claim claim);

    /** What this claim, or one whose answer went astray, was given before, as far as the executor still has it. */
    List<ClaimedMessage> given(String queue, Claim claim);

    /**
     * Requeues dead letters behind those that wait, with all attempts. Returns those that were dead.
     *
     * @param payloads new payloads by id; null to keep the message's own
     */
    Set<Long> retry(String queue, Map<Long, String> payloads);

    /** Ends messages that wait or were given up; returns those that did. */
    Set<Long> discard(String queue, Collection<Long> waiting, Collection<Long> dead);

    /** Waiting messages, delayed ones included, with ids above {@code after} and in their order. */
    List<Long> waiting(String queue, long after, Instant pushedBefore, int limit);

    /** How many messages of each queue could be begun now, were there somebody to; counted up to {@code most}. */
    Map<String, Integer> ready(Collection<String> queues, int most);

    /** When the next message of each queue may start. Queues with none, paused ones and those at their concurrency limit are left out. */
    Map<String, Instant> nextDue(Collection<String> queues);

    /**
     * Requeues the messages of executors that are gone, all of them, up to {@code most} in one step, and records their claims as
     * {@link Revocations} so that an executor that comes back neither starts them nor continues.
     *
     * @param grace how long the results of an executor that deregistered are awaited
     * @param delay how long the messages wait for their next attempt at least; their backoff may be longer
     */
    List<Released> release(int most, Duration grace, Duration delay);

    /**
     * Messages in flight for longer than {@code age}, with executors that are online and have sent a heartbeat since. A part reads up
     * to {@code limit} messages of each lane. A lane ends where a whole part of it is waiting.
     */
    InFlightPart inFlight(String queue, Place from, Duration age, int limit);

    /**
     * Requeues those of these messages that are still in flight under the same claim, as {@link #release} does: their executor is
     * online, and {@code why} says how they are lost. Returns those that moved.
     */
    Set<Long> lose(String queue, long executorId, Collection<InFlight> messages, HeldWork.Loss why);
}
