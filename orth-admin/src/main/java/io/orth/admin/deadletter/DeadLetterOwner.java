package io.orth.admin.deadletter;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Whose dead letters some are: knows how they get another chance and how they end. Each call is one step, or part of the caller's
 * transaction. Doing it twice is harmless: what is not dead any more is passed over.
 */
public interface DeadLetterOwner {

    /** What became of some, with the reason of each failure by id; those in neither were not dead any more. */
    record Outcome(int done, Map<Long, String> failed) {

        public Outcome {
            failed = Map.copyOf(failed);
        }

        public static Outcome of(int done) {
            return new Outcome(done, Map.of());
        }
    }

    /** Whether what it does is part of the caller's transaction; if not, nothing is asked of it inside one. */
    default boolean joinsTransactions() {
        return true;
    }

    /** How many more may be retried for now, so that others do not wait for them, and what to call it. */
    record Room(int places, String name) {}

    DeadKind kind();

    Outcome retry(List<DeadRef> letters);

    Outcome discard(List<DeadRef> letters);

    /** By queue or job. */
    Map<Integer, Room> room(Collection<Integer> owners);
}
