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
 * Storage of messages. Each call is atomic and durable when it returns, unless it joins the caller's transaction. All methods accept many
 * messages, because batching makes a queue fast.
 *
 * <p>Queues, their settings and their workers are always in the database. A driver that keeps messages elsewhere learns the settings of a
 * queue through {@link #changed}, and exposes its messages through a {@link QueueReader}.
 */
public interface QueueDriver {

    /**
     * A request of an executor for messages.
     *
     * @param id chosen by the executor; a repeated id means that the response was lost, and returns the same messages
     * @param strand distinguishes concurrent claims of an executor
     * @param turn rises with each claim of a strand; a claim with a lower turn than an earlier claim gets nothing
     * @param received the last turn in which the executor received messages; messages of a later turn were lost in transit and are
     *     delivered again instead of others, whatever the slots
     * @param slots maximum number of messages
     * @param held number of messages that the executor already has
     */
    record Claim(long executorId, int strand, String id, long turn, long received, int slots, int held) {

        /** Returns a request for no messages. */
        static Claim none(long executorId) {
            return new Claim(executorId, 0, "", 0, 0, 0, 0);
        }
    }

    /**
     * Result of a step of an executor.
     *
     * @param refused ids of messages whose results were rejected
     * @param counted number of accepted results
     * @param opens whether the results let other messages start: the next one of an ordering key, or one that is retried
     */
    record Turn(List<Long> refused, int counted, List<ClaimedMessage> messages, boolean opens) {

        public Turn {
            refused = List.copyOf(refused);
            messages = List.copyOf(messages);
        }
    }

    /** @param messages messages of the waiting claim; empty if its executor no longer waits under it */
    record Handed(List<Pushed> pushed, Optional<List<ClaimedMessage>> messages) {

        public Handed {
            pushed = List.copyOf(pushed);
            messages = messages.map(List::copyOf);
        }

        /** Returns whether the waiting claim received everything that was pushed. */
        boolean isComplete() {
            Set<Long> given =
                    messages.orElse(List.of()).stream().map(ClaimedMessage::id).collect(Collectors.toSet());
            return pushed.stream().allMatch(each -> given.contains(each.id()));
        }
    }

    /** Number of messages taken from a dead or offline executor. {@code instanceId} is null if the executor was deleted. */
    record Released(String queue, String instanceId, int messages) {}

    /** A message that an executor has claimed and not reported. */
    record InFlight(String queue, long id, long executorId, long logId, Duration age) implements HeldWork.Held {}

    /** Position of a walk through the messages of a queue. The walk follows the order of claims, priority by priority. */
    record Place(int lane, Instant dueAt, long id) {

        static final Place START = new Place(0, Instant.EPOCH, 0);
    }

    /**
     * A part of such a walk.
     *
     * @param read number of messages read
     * @param next start of the next part; empty after the last one
     */
    record InFlightPart(List<InFlight> messages, int read, Optional<Place> next) {

        static final InFlightPart NONE = new InFlightPart(List.of(), 0, Optional.empty());

        public InFlightPart {
            messages = List.copyOf(messages);
        }
    }

    /**
     * Called after a queue was paused, resumed or got other limits. When this returns, all claims follow the new settings. May be called
     * without a change. A driver that reads the queue's row in each step has nothing to do.
     */
    default void changed(Queue queue) {}

    /**
     * Adds messages. Returns one result for each, in their order.
     *
     * @param id idempotency key: within a day, a repeated push with the same id adds nothing and returns the same result; null for a push
     *     that is never repeated
     */
    List<Pushed> push(String queue, String id, List<MessageSpec> messages);

    /** Adds messages, and retries a waiting claim in the same step like {@link #tryAgain}. */
    Handed push(String queue, String id, List<MessageSpec> messages, Claim waiting);

    /**
     * Returns whether calls join the caller's transaction. Other drivers are never called inside one: the related changes commit after the
     * call, and if that fails, the call is repeated.
     */
    default boolean joinsTransactions() {
        return false;
    }

    /** Records results, then claims due messages by priority and age; none if the queue is paused. */
    Turn work(String queue, List<MessageResult> results, Claim claim);

    /** Retries a claim that found nothing and waits. Returns empty if the executor has made another claim since, or is offline or dead. */
    Optional<List<ClaimedMessage>> tryAgain(String queue, Claim claim);

    /** Returns the messages delivered to this claim, or to one whose response was lost, that the executor still has. */
    List<ClaimedMessage> given(String queue, Claim claim);

    /**
     * Requeues dead letters behind waiting messages, with all attempts. Returns those that were dead letters.
     *
     * @param payloads new payloads by id; null to keep the message's own
     */
    Set<Long> retry(String queue, Map<Long, String> payloads);

    /** Discards waiting messages and dead letters. Returns those that were discarded. */
    Set<Long> discard(String queue, Collection<Long> waiting, Collection<Long> dead);

    /** Returns waiting messages, delayed ones included, with ids above {@code after} and in their order. */
    List<Long> waiting(String queue, long after, Instant pushedBefore, int limit);

    /** Returns the number of messages of each queue that could start now if workers were available, counted up to {@code most}. */
    Map<String, Integer> ready(Collection<String> queues, int most);

    /**
     * Returns when the next message of each queue may start. Omits queues without messages, paused ones and those at their concurrency
     * limit.
     */
    Map<String, Instant> nextDue(Collection<String> queues);

    /**
     * Requeues all messages of dead and offline executors, up to {@code most} in one step. Records their claims as {@link Revocations}, so
     * that an executor that comes back neither starts nor continues them.
     *
     * @param grace how long results of a deregistered executor are awaited
     * @param delay minimum delay until the next attempt; the backoff may be longer
     */
    List<Released> release(int most, Duration grace, Duration delay);

    /**
     * Reads messages that have been in flight for longer than {@code age} with executors that are online and have sent a heartbeat since. A
     * part reads up to {@code limit} messages of each priority. A priority ends when all messages of a part are waiting.
     */
    InFlightPart inFlight(String queue, Place from, Duration age, int limit);

    /**
     * Requeues those of these messages that are still in flight under the same claim, and revokes their claims as {@link #release} does.
     * Their executor is online; {@code why} is the reason for the loss. Returns the messages that moved.
     */
    Set<Long> lose(String queue, long executorId, Collection<InFlight> messages, HeldWork.Loss why);
}
