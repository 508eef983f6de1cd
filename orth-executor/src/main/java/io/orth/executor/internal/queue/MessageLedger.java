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
 * What this executor has of one queue: messages without a result, results that no admin has taken yet, and slots that claims have
 * asked to fill.
 *
 * <p>A slot is free when none of these takes it. Results take none until there are more of them than slots, so that the next messages
 * need not wait for the last results; there are never more than twice as many results as slots.
 *
 * <p>While messages are going on, what is ready waits up to a millisecond for more to go along, so that a busy queue is served by
 * few requests; results wait a little longer for the next claim, where there are more messages than it asks for. A message that is
 * alone waits for nobody.
 */
class MessageLedger {

    /** What goes out with one claim: slots to fill, none if there is nothing to ask for any more, and results. */
    record Errand(int slots, List<MessageResult> results) {}

    /** How many messages are asked for, and how many results told, in one request. */
    static final int MOST_AT_ONCE = 1_000;

    /** JSON needs at most six bytes for a character, so a request stays below two megabytes. */
    private static final int MOST_CHARACTERS = 300_000;

    private static final long LINGER_NANOS = Duration.ofMillis(1).toNanos();

    /** How long results wait for a claim that is about to be answered, as the next one takes them along; large ones take longer. */
    private static final Duration BUSY_LINGER = Duration.ofMillis(5);

    private static final Duration BUSY_LINGER_PER_SLOT = Duration.ofNanos(20_000);

    private final int concurrency;
    private final int share;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock: messages by log id; results that wait, those in reports and those that ride along with claims;
    // slots in claims; how many strands could take results along; whether the last claim got all that it asked for, as
    // then the next one will before long.
    private final IdMap<ClaimedMessage> unfinished = new IdMap<>();
    private final Deque<MessageResult> ready = new ArrayDeque<>();

    /** Results that no admin has taken, by log id. Guarded by lock. */
    private final IdMap<MessageResult> unsent = new IdMap<>();

    private int reporting;
    private int riding;
    private int askedFor;
    private int attentive;
    private boolean busy;
    private boolean closed;

    /** @param share how many slots one claim asks for at most */
    MessageLedger(int concurrency, int share) {
        this.concurrency = concurrency;
        this.share = Math.min(share, MOST_AT_ONCE);
    }

    // --- claims

    /** Waits until there is something to ask for; then these slots are taken until {@link #answered}. */
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
     * A claim was answered with these messages; returns those of them that are not here already. If that fails, nothing has changed:
     * the slots stay the claim's, and it is to be repeated.
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

    /** In {@code fresh} first, so that what was added is there even if it fails. */
    private void addUnfinished(Collection<ClaimedMessage> messages, Deque<ClaimedMessage> fresh) {
        for (ClaimedMessage message : messages) {
            if (!unfinished.has(message.logId())) {
                fresh.add(message);
                unfinished.put(message.logId(), message);
            }
        }
    }

    // --- results

    /** A message has ended with this result. */
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

    /** A message was here before and needs no result. */
    void forget(long logId) {
        lock.lock();
        try {
            unfinished.remove(logId);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waking somebody costs more than a message that does nothing, so it is not done for every one. */
    private void signalIfThatMatters() {
        int free = free();
        if (ready.size() == 1 || ready.size() == half() || unfinished.isEmpty() || free == 1 || free == half()) {
            changed.signalAll();
        }
    }

    /** Waits for results that no strand is going to take along; none when it is closed and all is over. */
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

    /** Results that are ready, to go along with a claim that is repeated. */
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

    /** A report has ended; results that no admin has taken are tried again after the others. */
    void reported(List<MessageResult> results, boolean taken) {
        lock.lock();
        try {
            reporting -= results.size();
            afterTelling(results, taken);
        } finally {
            lock.unlock();
        }
    }

    /** The same for a claim and the results that rode along. */
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

    /** Of these attempts, by log id, those whose result no admin has taken, as far as this executor knows. */
    Set<Long> unsent(Collection<Long> logIds) {
        lock.lock();
        try {
            return logIds.stream().filter(unsent::has).collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    // --- what is going on

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

    /** How many messages are here without a result that is being told. */
    int held() {
        lock.lock();
        try {
            return unfinished.size() + ready.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * How many results no admin has taken, but for those that ride along: an admin takes them before it makes the claim wait,
     * and says so only with the answer.
     */
    int untold() {
        lock.lock();
        try {
            return ready.size() + reporting;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is asked for any more. */
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

    /** Whether nothing is here any more, nor can come. */
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

    /** Waits, but not beyond the moment when this is closed. */
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
