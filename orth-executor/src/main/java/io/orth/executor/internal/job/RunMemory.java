package io.orth.executor.internal.job;

import io.orth.executor.RunResult;
import io.orth.executor.internal.IdMap;
import io.orth.protocol.Codes;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import io.orth.protocol.MessageResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The runs this executor has accepted: all that wait or run, and the most recent of those that have ended. It is why a
 * repeated trigger is acknowledged and not run again. It also holds the most recent refusals, so that a copy of a refused
 * trigger that arrives late, when the run may be going on elsewhere, is refused too.
 */
public final class RunMemory {

    /** Of how many ended runs the message is kept, and how much of it: at most some 10 MB altogether. */
    private static final int MESSAGES_TO_KEEP = 5_000;

    private static final int MESSAGE_LENGTH = 1_000;

    /** Of how many ended attempts at queues' messages: thousands end in a second, and they must not drive out runs. */
    private static final int QUEUE_MESSAGES_TO_KEEP = 10_000;

    private static final int EVERY_DISPATCH = Integer.MAX_VALUE;

    /** How many runs that have ended, and how many refusals. */
    private final int toKeep;

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock: what is known of each run, how far those that go on say they are, those that have ended, and the
    // newest of them, whose messages are kept too.
    private final IdMap<Known> runs = new IdMap<>();
    private final IdMap<Integer> progress = new IdMap<>();
    private final Deque<Long> finished = new ArrayDeque<>();
    private final Deque<Long> finishedQueueMessages = new ArrayDeque<>();
    private final Deque<Long> withMessage = new ArrayDeque<>();

    /** The highest dispatch that was refused, by log id, the latest refusal last. Guarded by lock. */
    private final Map<Long, Integer> refused = new LinkedHashMap<>();

    public RunMemory(int toKeep) {
        this.toKeep = toKeep;
    }

    /**
     * Accepts a run unless it was accepted before, or this or a later dispatch of it was refused.
     *
     * @param dispatch counts the sends of the run; the admin sends again only with a higher one
     * @param offer hands the run to its lane without waiting; returns why that was refused. It is called under the lock, so
     *     that a repeat, which must not hear "accepted" before the first copy is, waits for its outcome.
     * @return why the run is refused; empty when it is accepted, now or by an earlier copy
     */
    Optional<String> admit(long logId, int dispatch, Supplier<Optional<String>> offer) {
        lock.lock();
        try {
            if (runs.has(logId)) {
                return Optional.empty();
            }
            Integer refusedBefore = refused.get(logId);
            if (refusedBefore != null && dispatch <= refusedBefore) {
                return Optional.of(
                        refusedBefore == EVERY_DISPATCH
                                ? "this run was revoked here"
                                : "dispatch %d of this run was already refused here".formatted(refusedBefore));
            }
            return offerOnce(logId, dispatch, offer);
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> offerOnce(long logId, int dispatch, Supplier<Optional<String>> offer) {
        boolean taken = false;
        try {
            runs.put(logId, new Known(logId, State.QUEUED));
            Optional<String> refusal = offer.get();
            taken = refusal.isEmpty();
            return refusal;
        } finally {
            refused.remove(logId);
            if (!taken) {
                runs.remove(logId);
                rememberRefusal(logId, dispatch);
            }
        }
    }

    private void rememberRefusal(long logId, int dispatch) {
        refused.put(logId, dispatch);
        if (refused.size() > toKeep) {
            refused.remove(refused.keySet().iterator().next());
        }
    }

    /** From now on no copy of these runs is accepted, unless one was before. */
    public void bar(Collection<Long> logIds) {
        lock.lock();
        try {
            for (long logId : logIds) {
                if (!runs.has(logId)) {
                    rememberRefusal(logId, EVERY_DISPATCH);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Does something while no admission is under way. */
    void betweenAdmissions(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** A run that was ended before anybody took it up stays what it is. */
    void started(long logId) {
        lock.lock();
        try {
            Known before = runs.get(logId);
            if (before == null || before.state() == State.QUEUED) {
                runs.put(logId, new Known(logId, State.RUNNING));
            }
        } finally {
            lock.unlock();
        }
    }

    /** A run says how far it is; whoever speaks for one that does not go on is not heard. */
    void progress(long logId, int percent) {
        lock.lock();
        try {
            Known run = runs.get(logId);
            if (run != null && run.state() == State.RUNNING) {
                progress.put(logId, percent);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How far a run that goes on says it is, in percent; null if it does not say. */
    public Integer progress(long logId) {
        lock.lock();
        try {
            return progress.get(logId);
        } finally {
            lock.unlock();
        }
    }

    void finished(long logId, RunResult result) {
        lock.lock();
        try {
            String message = cut(result.text());
            if (end(knownOf(logId, result, message))) {
                finished.add(logId);
                if (message != null) {
                    withMessage.add(logId);
                }
                forgetTheOldest();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The same for an attempt at a queue's message. What it said is not remembered, and the rest for a shorter while. */
    void finishedMessage(long logId, RunResult result) {
        endMessage(knownOf(logId, result, null));
    }

    /** An attempt at a queue's message was released before it started. */
    void released(long logId) {
        endMessage(new Known(logId, State.FINISHED, Codes.NONE, null));
    }

    private void endMessage(Known ended) {
        lock.lock();
        try {
            if (end(ended)) {
                finishedQueueMessages.add(ended.logId());
                if (finishedQueueMessages.size() > QUEUE_MESSAGES_TO_KEEP) {
                    runs.remove(finishedQueueMessages.remove());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it had not ended before. */
    private boolean end(Known ended) {
        Known before = runs.get(ended.logId());
        boolean first = before == null || before.state() != State.FINISHED;
        if (first) {
            runs.put(ended.logId(), ended);
            progress.remove(ended.logId());
        }
        return first;
    }

    private static Known knownOf(long logId, RunResult result, String message) {
        return new Known(
                logId,
                State.FINISHED,
                result.code(),
                message,
                false,
                result instanceof RunResult.FailedForGood,
                result instanceof RunResult.RetryAfter later ? MessageResult.millisOf(later.delay()) : null);
    }

    /** How many accepted runs have not ended; the result of one that has was handed on before. */
    public int unfinished() {
        lock.lock();
        try {
            return runs.size() - finished.size() - finishedQueueMessages.size();
        } finally {
            lock.unlock();
        }
    }

    private void forgetTheOldest() {
        while (finished.size() > toKeep) {
            runs.remove(finished.remove());
        }
        while (withMessage.size() > MESSAGES_TO_KEEP) {
            long logId = withMessage.remove();
            Known known = runs.get(logId);
            if (known != null) {
                runs.put(logId, known.withoutMessage());
            }
        }
    }

    private static String cut(String message) {
        if (message == null || message.length() <= MESSAGE_LENGTH) {
            return message;
        }
        boolean splitsAPair = Character.isHighSurrogate(message.charAt(MESSAGE_LENGTH - 1));
        return message.substring(0, splitsAPair ? MESSAGE_LENGTH - 1 : MESSAGE_LENGTH);
    }

    /** Whether it was accepted and has not ended. */
    public boolean goesOn(long logId) {
        return known(List.of(logId)).stream().anyMatch(run -> run.state() != State.FINISHED);
    }

    /** Whether it was accepted, as far as that is remembered. */
    boolean knows(long logId) {
        lock.lock();
        try {
            return runs.has(logId);
        } finally {
            lock.unlock();
        }
    }

    /** What is known of these ids; the others are left out. */
    public List<Known> known(Collection<Long> logIds) {
        lock.lock();
        try {
            List<Known> known = new ArrayList<>();
            for (long logId : logIds) {
                Known run = runs.get(logId);
                if (run != null) {
                    known.add(run);
                }
            }
            return known;
        } finally {
            lock.unlock();
        }
    }
}
