package io.orth.executor.internal.queue;

import io.orth.executor.internal.IdMap;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * This executor's state of one queue: messages without a result, results that no admin has accepted yet, and slots that claims
 * have requested to fill.
 *
 * <p>A slot is free when none of these occupies it. Results occupy no slots until they outnumber the slots, so that the next
 * messages need not wait for the last results. There are never more than twice as many results as slots.
 *
 * <p>While messages are in progress, free slots and results wait up to one millisecond for more, so that a busy queue needs few
 * requests. Results wait slightly longer for the next claim if there are more messages than it requests. A single message does
 * not wait.
 */
class MessageLedger {

    /** The content of one claim: slots to fill (zero if the queue is closed) and results. */
    record Errand(int slots, List<MessageResult> results) {}

    /** Maximum number of messages to claim, and of results to report, in one request. */
    static final int MOST_AT_ONCE = 1_000;

    /** JSON needs at most six bytes per character, so a request stays below two megabytes. */
    private static final int MOST_CHARACTERS = 300_000;

    private static final long LINGER_NANOS = Duration.ofMillis(1).toNanos();

    /**
     * How long results wait for a claim whose response is imminent, because the next claim can carry them. Large results take
     * longer.
     */
    private static final Duration BUSY_LINGER = Duration.ofMillis(5);

    private static final Duration BUSY_LINGER_PER_SLOT = Duration.ofNanos(20_000);

    private final int concurrency;
    private final int share;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock: messages by log id; results that wait, results in reports and results that accompany claims;
    // slots in claims; the number of claim loops that could carry results; whether the last claim was filled
    // completely, in which case the next one soon will be, too.
    private final IdMap<ClaimedMessage> unfinished = new IdMap<>();
    private final Deque<MessageResult> ready = new ArrayDeque<>();

    /** Results that no admin has accepted, by log id. Guarded by lock. */
    private final IdMap<MessageResult> unsent = new IdMap<>();

    private int reporting;
    private int riding;
    private int askedFor;
    private int attentive;
    private boolean busy;
    private boolean closed;

    /** @param share maximum number of slots of one claim */
    MessageLedger(int concurrency, int share) {
        this.concurrency = concurrency;
        this.share = Math.min(share, MOST_AT_ONCE);
    }

    // --- claims

    /** Waits until there is something to claim. The slots are then occupied until {@link #answered}. */
    Errand awaitSlots(int mostResults) throws InterruptedException {
        lock.lockInterruptibly();
        attentive++;
        try {
            long patience = LINGER_NANOS;
            while (!closed && !isWorthAClaim(patience)) {
                if (free() > 0) {
                    patience = changed.awaitNanos(patience);
                } else {
                    changed.await();
                }
            }
            int slots = closed ? 0 : Math.min(free(), share);
            askedFor += slots;
            return new Errand(slots, slots == 0 ? List.of() : takeAlong(mostResults));
        } finally {
            attentive--;
            if (!ready.isEmpty()) {
                changed.signalAll();
            }
            lock.unlock();
        }
    }

    private boolean isWorthAClaim(long patience) {
        int free = free();
        return free > 0 && (patience <= 0 || unfinished.isEmpty() || free >= half());
    }

    /**
     * Adds the messages delivered by a claim and returns the ones that are new. If this fails, nothing has changed: the claim
     * keeps its slots and has to be repeated.
     */
    Deque<ClaimedMessage> answered(int slots, Collection<ClaimedMessage> messages) {
        lock.lock();
        try {
            Deque<ClaimedMessage> fresh = new ArrayDeque<>(messages.size());
            try {
                addUnfinished(messages, fresh);
            } catch (Throwable problem) {
                while (!fresh.isEmpty()) {
                    unfinished.remove(fresh.remove().logId());
                }
                throw problem;
            }
            askedFor -= slots;
            busy = slots > 0 && messages.size() >= slots;
            changed.signalAll();
            return fresh;
        } finally {
            lock.unlock();
        }
    }

    /** Adds to {@code fresh} first, so that it lists every added message even after a failure. */
    private void addUnfinished(Collection<ClaimedMessage> messages, Deque<ClaimedMessage> fresh) {
        for (ClaimedMessage message : messages) {
            if (!unfinished.has(message.logId())) {
                fresh.add(message);
                unfinished.put(message.logId(), message);
            }
        }
    }

    // --- results

    /** Records the result of a message. */
    void finished(long logId, MessageResult result) {
        lock.lock();
        try {
            if (unfinished.has(logId)) {
                unsent.put(logId, result);
                ready.add(result);
                unfinished.remove(logId);
                signalIfThatMatters();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes a message that was delivered before and needs no result. */
    void forget(long logId) {
        lock.lock();
        try {
            unfinished.remove(logId);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Signals waiting threads only when necessary; waking a thread costs more than a message that does nothing. */
    private void signalIfThatMatters() {
        int free = free();
        if (ready.size() == 1 || ready.size() == half() || unfinished.isEmpty() || free == 1 || free == half()) {
            changed.signalAll();
        }
    }

    /** Waits for results that no claim will carry. Returns none if this is closed and finished. */
    List<MessageResult> awaitResults(int most) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long patience = lingerForAStrand();
            while (!isForTheReporter(patience) && !isSettled()) {
                if (ready.isEmpty() || isForAStrand()) {
                    changed.await();
                    patience = lingerForAStrand();
                } else {
                    patience = changed.awaitNanos(patience);
                }
            }
            List<MessageResult> results = takeReady(most);
            reporting += results.size();
            return results;
        } finally {
            lock.unlock();
        }
    }

    private boolean isForTheReporter(long patience) {
        boolean ripe = closed || patience <= 0 || (!busy && (unfinished.isEmpty() || ready.size() >= half()));
        return !ready.isEmpty() && ripe && !isForAStrand();
    }

    private long lingerForAStrand() {
        return busy ? busyLinger().toNanos() : LINGER_NANOS;
    }

    Duration busyLinger() {
        Duration bySlots = BUSY_LINGER_PER_SLOT.multipliedBy(share);
        return bySlots.compareTo(BUSY_LINGER) > 0 ? bySlots : BUSY_LINGER;
    }

    private boolean isForAStrand() {
        return !closed && attentive > 0 && free() > 0;
    }

    /** Returns results that are ready to accompany a repeated claim. */
    List<MessageResult> take(int most) {
        lock.lock();
        try {
            return takeAlong(most);
        } finally {
            lock.unlock();
        }
    }

    private List<MessageResult> takeAlong(int most) {
        List<MessageResult> results = takeReady(most);
        riding += results.size();
        return results;
    }

    private List<MessageResult> takeReady(int most) {
        List<MessageResult> taken = new ArrayList<>(Math.min(most, ready.size()));
        int characters = 0;
        while (!ready.isEmpty() && taken.size() < most) {
            characters += weightOf(ready.element());
            if (!taken.isEmpty() && characters > MOST_CHARACTERS) {
                break;
            }
            taken.add(ready.remove());
        }
        return taken;
    }

    private static int weightOf(MessageResult result) {
        int text = result.text() == null ? 0 : result.text().length();
        return text + (result.task() == null ? 0 : result.task().weight());
    }

    /** Records the end of a report. Results that no admin has accepted are retried after the others. */
    void reported(List<MessageResult> results, boolean taken) {
        lock.lock();
        try {
            reporting -= results.size();
            afterTelling(results, taken);
        } finally {
            lock.unlock();
        }
    }

    /** Records the end of a claim for the results that accompanied it, as {@link #reported} does. */
    void rode(List<MessageResult> results, boolean taken) {
        lock.lock();
        try {
            riding -= results.size();
            afterTelling(results, taken);
        } finally {
            lock.unlock();
        }
    }

    private void afterTelling(List<MessageResult> results, boolean taken) {
        if (taken) {
            results.forEach(result -> unsent.remove(result.logId()));
        } else {
            ready.addAll(results);
        }
        changed.signalAll();
    }

    /** Returns those of these attempts, by log id, whose result no admin is known to have accepted. */
    Set<Long> unsent(Collection<Long> logIds) {
        lock.lock();
        try {
            return logIds.stream().filter(unsent::has).collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    // --- status

    private int free() {
        int tooManyResults = Math.max(0, untoldInAll() - concurrency);
        return concurrency - unfinished.size() - askedFor - tooManyResults;
    }

    private int untoldInAll() {
        return ready.size() + reporting + riding;
    }

    private int half() {
        return (share + 1) / 2;
    }

    /** Returns the number of messages here, except those whose result is being reported. */
    int held() {
        lock.lock();
        try {
            return unfinished.size() + ready.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the number of results that no admin has accepted, except those that accompany claims: an admin accepts them before
     * the long poll, but confirms them only in the response.
     */
    int untold() {
        lock.lock();
        try {
            return ready.size() + reporting;
        } finally {
            lock.unlock();
        }
    }

    /** Stops claiming. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether nothing is left here and nothing more can arrive. */
    boolean isOver() {
        lock.lock();
        try {
            return isSettled();
        } finally {
            lock.unlock();
        }
    }

    private boolean isSettled() {
        return closed && unfinished.isEmpty() && untoldInAll() == 0 && askedFor == 0;
    }

    /** Waits for the duration, or until this is closed. */
    void rest(Duration duration) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean before = closed;
            long left = duration.toNanos();
            while (left > 0 && closed == before) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
