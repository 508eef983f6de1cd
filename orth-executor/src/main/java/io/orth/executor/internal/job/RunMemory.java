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
 * The runs accepted by this executor: all that wait or run, and the most recent of those that ended. A repeated trigger is
 * recognized here, acknowledged and not executed again. Also holds the most recent rejections: a late copy of a rejected trigger
 * is rejected too, because the run may be executing elsewhere.
 */
public final class RunMemory {

    /** Number of ended runs whose (bounded) message is kept: at most about 10 MB in total. */
    private static final int MESSAGES_TO_KEEP = 5_000;

    private static final int MESSAGE_LENGTH = 1_000;

    /** Number of ended attempts at queue messages to keep. Thousands end per second, and they must not evict runs. */
    private static final int QUEUE_MESSAGES_TO_KEEP = 10_000;

    private static final int EVERY_DISPATCH = Integer.MAX_VALUE;

    /** Number of ended runs, and of rejections, to keep. */
    private final int toKeep;

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock: all known runs, the progress of unfinished ones, the ended ones, and the newest of these, whose
    // messages are kept.
    private final IdMap<Known> runs = new IdMap<>();
    private final IdMap<Integer> progress = new IdMap<>();
    private final Deque<Long> finished = new ArrayDeque<>();
    private final Deque<Long> finishedQueueMessages = new ArrayDeque<>();
    private final Deque<Long> withMessage = new ArrayDeque<>();

    /** The highest rejected dispatch by log id, the latest rejection last. Guarded by lock. */
    private final Map<Long, Integer> refused = new LinkedHashMap<>();

    public RunMemory(int toKeep) {
        this.toKeep = toKeep;
    }

    /**
     * Accepts a run, unless it was accepted before or this or a later dispatch of it was rejected.
     *
     * @param dispatch dispatch count of the run; the admin repeats a dispatch only with a higher one
     * @param offer hands the run to its lane without waiting and returns the reason if the lane rejects it. Called under the
     *     lock, so that a repeated trigger waits for the outcome and is not acknowledged before the first copy is accepted.
     * @return the reason for the rejection; empty if the run is accepted, now or by an earlier copy
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

    /** Rejects all future copies of these runs, except of runs accepted before. */
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

    /** Runs the action while no admission is in progress. */
    void betweenAdmissions(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Records the start of a run, unless it has ended before a thread picked it up. */
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

    /** Records the progress of a run. Reports about finished runs are ignored. */
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

    /** Returns the reported progress of an unfinished run in percent; null if there is none. */
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

    /** Records the end of an attempt at a queue message. Its text is not kept, and the rest for a shorter time than that of a run. */
    void finishedMessage(long logId, RunResult result) {
        endMessage(knownOf(logId, result, null));
    }

    /** Records that an attempt at a queue message was released before it started. */
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

    /** Records the end. Returns whether the run had not ended before. */
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

    /** Returns the number of accepted runs that have not ended. The result of an ended run has been handed over before. */
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

    /** Returns whether the run was accepted and has not ended. */
    public boolean goesOn(long logId) {
        return known(List.of(logId)).stream().anyMatch(run -> run.state() != State.FINISHED);
    }

    /** Returns whether the run is known to have been accepted. */
    boolean knows(long logId) {
        lock.lock();
        try {
            return runs.has(logId);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the known runs among these ids; unknown ids are omitted. */
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
