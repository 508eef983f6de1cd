package io.orth.executor.internal.transport;

import io.orth.runtime.DoublingDelay;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * The shared state of an executor's admins: which of them respond, and in which order to call them.
 *
 * <p>An admin that does not respond is silent. All callers skip it until it has answered a probe. It is left alone for a period
 * that grows each time, then probed in the background. An admin that rejects a request only moves behind the others for a while.
 * If only one admin is configured, it is never skipped.
 */
final class AdminDirectory {

    /** Finds out within a short time whether an admin responds. */
    @FunctionalInterface
    interface Probe {
        CompletionStage<Boolean> of(URI admin);
    }

    /** Notified when an admin that just became silent does not answer a probe either. */
    @FunctionalInterface
    interface SilenceListener {
        void silentSince(URI admin, long nanos);
    }

    static final Duration COOL_DOWN = Duration.ofSeconds(10);
    static final Duration MAX_COOL_DOWN = Duration.ofMinutes(1);

    /** The state of one admin. Guarded by the directory. */
    private static final class State {
        private boolean silent;
        /** Consecutive silences without a response to a request in between. */
        private int silences;

        private long probeDue;
        private long answered;
        private Long refused;
        /** The probe in flight; null if there is none. */
        private CompletableFuture<Boolean> probe;
    }

    private final List<URI> configured;
    private final Probe probe;
    private final SilenceListener listener;
    private final LongSupplier nanos;
    private final Map<URI, State> states = new HashMap<>();

    /** @param nanos a monotonic clock */
    AdminDirectory(List<URI> configured, Probe probe, SilenceListener listener, LongSupplier nanos) {
        this.configured = List.copyOf(configured);
        this.probe = probe;
        this.listener = listener;
        this.nanos = nanos;
        long now = nanos.getAsLong();
        configured.forEach(admin -> {
            State state = new State();
            state.answered = now;
            states.put(admin, state);
        });
    }

    /**
     * Returns the admins that are not silent, in configured order, with those that recently rejected a request last. Starts the
     * probes that are due.
     */
    List<URI> responsive() {
        List<URI> due = new ArrayList<>();
        List<URI> first = new ArrayList<>();
        List<URI> last = new ArrayList<>();
        synchronized (this) {
            long now = nanos.getAsLong();
            for (URI admin : configured) {
                State state = states.get(admin);
                if (!state.silent) {
                    (hasRefusedLately(state, now) ? last : first).add(admin);
                } else if (now - state.probeDue >= 0) {
                    due.add(admin);
                }
            }
        }
        due.forEach(this::probe);
        first.addAll(last);
        return first;
    }

    private static boolean hasRefusedLately(State state, long now) {
        return state.refused != null && now - state.refused < COOL_DOWN.toNanos();
    }

    /** Returns the silent admins, the one that responded last first. */
    synchronized List<URI> silent() {
        return configured.stream()
                .filter(admin -> states.get(admin).silent)
                .sorted(Comparator.comparingLong((URI admin) -> states.get(admin).answered)
                        .reversed())
                .toList();
    }

    /** Probes an admin; if it answers, it is responsive again. Concurrent callers share the probe. */
    CompletionStage<Boolean> probe(URI admin) {
        CompletableFuture<Boolean> asked;
        synchronized (this) {
            State state = states.get(admin);
            if (state.probe != null) {
                return state.probe;
            }
            asked = new CompletableFuture<>();
            state.probe = asked;
        }
        probe.of(admin).whenComplete((answers, failure) -> {
            boolean well = failure == null && answers;
            probed(admin, well);
            asked.complete(well);
        });
        return asked;
    }

    private synchronized void probed(URI admin, boolean answers) {
        State state = states.get(admin);
        state.probe = null;
        if (!state.silent) {
            return;
        }
        long now = nanos.getAsLong();
        if (answers && now - state.probeDue >= 0) {
            state.silent = false;
        } else if (!answers) {
            state.probeDue = Math.max(state.probeDue, now + COOL_DOWN.toNanos());
        }
    }

    /**
     * Records that the admin did not respond to a request sent at that time. Probes it immediately, because other requests may be
     * waiting for it as well.
     */
    void silent(URI admin, long askedAt) {
        synchronized (this) {
            State state = states.get(admin);
            // A later response counts for more than a request that may have been lost.
            if (configured.size() == 1 || state.silent || state.answered - askedAt > 0) {
                return;
            }
            state.silent = true;
            state.silences++;
            state.probeDue = nanos.getAsLong() + coolDown(state.silences).toNanos();
        }
        long since = nanos.getAsLong();
        probe(admin).thenAccept(answers -> {
            if (!answers) {
                listener.silentSince(admin, since);
            }
        });
    }

    private static Duration coolDown(int silences) {
        return DoublingDelay.after(silences, COOL_DOWN, MAX_COOL_DOWN);
    }

    /** Records that the admin responded with a rejection. */
    synchronized void refused(URI admin) {
        State state = states.get(admin);
        state.silent = false;
        state.refused = nanos.getAsLong();
        state.answered = state.refused;
    }

    /** Records that the admin accepted a request. */
    synchronized void answered(URI admin) {
        State state = states.get(admin);
        state.silent = false;
        state.silences = 0;
        state.refused = null;
        state.answered = nanos.getAsLong();
    }
}
