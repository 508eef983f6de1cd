package io.orth.testkit;

import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.Json;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Reply;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The queues of a {@link FakeAdmin}: gives messages to who asks, with the promises of a real admin about claims, and remembers
 * requests and results. A message whose attempt fails is not given again.
 */
public final class FakeQueues {

    /** The answer to a request was made and then lost on its way. */
    static final class AnswerLostException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final int MAX_ATTEMPTS = 3;

    /** Noon of 2030-01-01 UTC. */
    private static final long CLAIMED_AT = 1_893_499_200_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Map<String, Deque<ClaimedMessage>> waiting = new HashMap<>();
    private final Map<String, List<ClaimedMessage>> given = new HashMap<>();
    private final List<WorkRequest> requests = new ArrayList<>();
    private final List<MessageResult> results = new ArrayList<>();
    private final Set<Long> refused = new HashSet<>();
    private final Map<String, WorkRequest> latest = new HashMap<>();
    private final Deque<String> madeUp = new ArrayDeque<>();
    private Predicate<WorkRequest> losing = request -> false;
    private long lastId;
    private boolean closed;

    /** Puts a message into a queue; its log id is 1,000,000 more than its own. */
    public ClaimedMessage push(String queue, String payload) {
        return push(queue, payload, Map.of());
    }

    ClaimedMessage push(String queue, String payload, Map<String, String> metadata) {
        return push(queue, payload, metadata, null);
    }

    ClaimedMessage push(String queue, String payload, Map<String, String> metadata, ClaimedTask task) {
        lock.lock();
        try {
            lastId++;
            ClaimedMessage message = message(lastId, payload, metadata).with(task);
            add(queue, message);
            return message;
        } finally {
            lock.unlock();
        }
    }

    private static ClaimedMessage message(long id, String payload, Map<String, String> metadata) {
        return new ClaimedMessage(id, 1, MAX_ATTEMPTS, 1_000_000 + id, CLAIMED_AT, payload, CLAIMED_AT, metadata, null);
    }

    /** Puts a message of one's own making into a queue. */
    public void add(String queue, ClaimedMessage message) {
        lock.lock();
        try {
            lastId = Math.max(lastId, message.id());
            waiting.computeIfAbsent(queue, any -> new ArrayDeque<>()).add(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** From now on results of these messages do not count. */
    public void refuseResultsOf(Long... ids) {
        lock.lock();
        try {
            refused.addAll(List.of(ids));
        } finally {
            lock.unlock();
        }
    }

    /** From now on requests like this have their effect, but their answers are lost. */
    public void loseAnswersTo(Predicate<WorkRequest> some) {
        lock.lock();
        try {
            losing = some;
        } finally {
            lock.unlock();
        }
    }

    /** All requests, in the order they came. */
    public List<WorkRequest> requests() {
        lock.lock();
        try {
            return List.copyOf(requests);
        } finally {
            lock.unlock();
        }
    }

    /** All results that were told, also those that did not count, in the order they came. */
    public List<MessageResult> results() {
        lock.lock();
        try {
            return List.copyOf(results);
        } finally {
            lock.unlock();
        }
    }

    public WorkRequest awaitRequest(Predicate<WorkRequest> wanted) {
        lock.lock();
        try {
            awaitCondition(() -> requests.stream().anyMatch(wanted), "such request");
            return requests.stream().filter(wanted).findFirst().orElseThrow();
        } finally {
            lock.unlock();
        }
    }

    public MessageResult awaitResult(long id) {
        lock.lock();
        try {
            awaitCondition(() -> results.stream().anyMatch(result -> result.id() == id), "result of " + id);
            return results.stream()
                    .filter(result -> result.id() == id)
                    .findFirst()
                    .orElseThrow();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until this many results were told in all. */
    public void awaitResults(int count) {
        awaitCondition(() -> results.size() >= count, count + " results");
    }

    /** The next requests are answered with these texts, whatever they ask for, and have no other effect. */
    public void answerNextWith(String... texts) {
        lock.lock();
        try {
            madeUp.addAll(List.of(texts));
        } finally {
            lock.unlock();
        }
    }

    /** Waits for messages as long as the request allows. */
    byte[] answer(WorkRequest request) {
        lock.lock();
        try {
            requests.add(request);
            if (request.slots() > 0) {
                latest.put(strandOf(request), request);
            }
            changed.signalAll();
            if (!madeUp.isEmpty()) {
                return madeUp.remove().getBytes(StandardCharsets.UTF_8);
            }
            results.addAll(request.results());
            List<Long> notCounted = request.results().stream()
                    .map(MessageResult::id)
                    .filter(refused::contains)
                    .toList();
            List<ClaimedMessage> messages = request.slots() == 0 ? List.of() : messagesFor(request);
            if (losing.test(request)) {
                throw new AnswerLostException();
            }
            return Json.write(Reply.lean(new WorkReply(notCounted, messages)));
        } finally {
            lock.unlock();
        }
    }

    private List<ClaimedMessage> messagesFor(WorkRequest request) {
        if (given.containsKey(request.claim())) {
            return given.get(request.claim());
        }
        Deque<ClaimedMessage> queue = waiting.computeIfAbsent(request.queue(), any -> new ArrayDeque<>());
        awaitMessages(queue, request);
        List<ClaimedMessage> messages = new ArrayList<>();
        while (!queue.isEmpty() && messages.size() < request.slots() && isLatest(request)) {
            messages.add(queue.remove());
        }
        if (!messages.isEmpty()) {
            given.put(request.claim(), messages);
        }
        return messages;
    }

    /** A later request of the same strand means that nobody waits for this one any more. */
    private void awaitMessages(Deque<ClaimedMessage> queue, WorkRequest request) {
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(request.waitMillis());
            while (queue.isEmpty() && !closed && left > 0 && isLatest(request)) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isLatest(WorkRequest request) {
        return latest.get(strandOf(request)) == request;
    }

    private static String strandOf(WorkRequest request) {
        return "%s %s %d".formatted(request.instanceId(), request.queue(), request.strand());
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitCondition(BooleanSupplier condition, String what) {
        lock.lock();
        try {
            long left = PATIENCE.toNanos();
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError("no %s within %s".formatted(what, PATIENCE));
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + what, e);
        } finally {
            lock.unlock();
        }
    }
}
