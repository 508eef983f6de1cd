package io.orth.executor.internal.job;

import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
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

    /** How many runs that have ended, and how many refusals. */
    private final int toKeep;

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private final Map<Long, State> states = new HashMap<>();
    private final Deque<Long> finished = new ArrayDeque<>();

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
            if (states.containsKey(logId)) {
                return Optional.empty();
            }
            Integer refusedBefore = refused.get(logId);
            if (refusedBefore != null && dispatch <= refusedBefore) {
                return Optional.of("dispatch %d of this run was already refused here".formatted(refusedBefore));
            }
            return offerOnce(logId, dispatch, offer);
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> offerOnce(long logId, int dispatch, Supplier<Optional<String>> offer) {
        boolean taken = false;
        try {
            states.put(logId, State.QUEUED);
            Optional<String> refusal = offer.get();
            taken = refusal.isEmpty();
            return refusal;
        } finally {
            refused.remove(logId);
            if (!taken) {
                states.remove(logId);
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
                if (!states.containsKey(logId)) {
                    rememberRefusal(logId, Integer.MAX_VALUE);
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

    void started(long logId) {
        lock.lock();
        try {
            states.put(logId, State.RUNNING);
        } finally {
            lock.unlock();
        }
    }

    void finished(long logId) {
        lock.lock();
        try {
            if (states.put(logId, State.FINISHED) != State.FINISHED) {
                finished.add(logId);
            }
            while (finished.size() > toKeep) {
                states.remove(finished.remove());
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many runs are in this state. */
    public int count(State state) {
        lock.lock();
        try {
            return (int) states.values().stream().filter(state::equals).count();
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
                State state = states.get(logId);
                if (state != null) {
                    known.add(new Known(logId, state));
                }
            }
            return known;
        } finally {
            lock.unlock();
        }
    }
}
