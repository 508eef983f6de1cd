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
 * What all callers of an executor know about its admins together: which of them answer, in the order in which to ask them.
 *
 * <p>One that gives no answer is silent, and passed over by everybody, until it has answered a probe: for a while it is left alone,
 * longer each time, and then probed in the background. One that refuses only goes behind the others for a while. The only admin of an
 * executor is never passed over.
 */
final class AdminDirectory {

    /** Finds out within a short time whether an admin answers. */
    @FunctionalInterface
    interface Probe {
        CompletionStage<Boolean> of(URI admin);
    }

    /** Told that an admin that has just become silent does not answer a probe either. */
    @FunctionalInterface
    interface SilenceListener {
        void silentSince(URI admin, long nanos);
    }

    static final Duration COOL_DOWN = Duration.ofSeconds(10);
    static final Duration MAX_COOL_DOWN = Duration.ofMinutes(1);

    /** What is known about one admin. Guarded by the directory. */
    private static final class State {
        private boolean silent;
        /** In a row, without an answer to a request in between. */
        private int silences;

        private long probeDue;
        private long answered;
        private Long refused;
        /** The probe that is under way; null if there is none. */
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

    /** Those that are not silent: as configured, but those that refused lately come last. Has those probed whose time has come. */
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

    /** Those that are silent, the one that answered last first. */
    synchronized List<URI> silent() {
        return configured.stream()
                .filter(admin -> states.get(admin).silent)
                .sorted(Comparator.comparingLong((URI admin) -> states.get(admin).answered)
                        .reversed())
                .toList();
    }

    /** Whether the admin answers now; one that does is responsive again. All who ask meanwhile get the same answer. */
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

    /** It gave no answer to a request of that moment. Has it probed at once: other requests may wait for it, too. */
    void silent(URI admin, long askedAt) {
        synchronized (this) {
            State state = states.get(admin);
            // What it has answered since says more than a request that it may have lost.
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

    /** It answered, and refused. */
    synchronized void refused(URI admin) {
        State state = states.get(admin);
        state.silent = false;
        state.refused = nanos.getAsLong();
        state.answered = state.refused;
    }

    /** It accepted a request. */
    synchronized void answered(URI admin) {
        State state = states.get(admin);
        state.silent = false;
        state.silences = 0;
        state.refused = null;
        state.answered = nanos.getAsLong();
    }
}
