package io.orth.admin.deadletter;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Handler of the dead letters of one kind: retries and discards them. Each call is one step, or part of the caller's transaction. Calls are
 * idempotent: they skip items that are no longer dead letters.
 */
public interface DeadLetterOwner {

    /** Number of dead letters that were changed, and the error of each failure by id. All others were no longer dead letters. */
    record Outcome(int done, Map<Long, String> failed) {

        public Outcome {
            failed = Map.copyOf(failed);
        }

        public static Outcome of(int done) {
            return new Outcome(done, Map.of());
        }
    }

    /** Returns whether calls join the caller's transaction. If not, none is made inside a transaction. */
    default boolean joinsTransactions() {
        return true;
    }

    /** Number of dead letters that may be retried for now without delaying other work, and the owner's name. */
    record Room(int places, String name) {}

    DeadKind kind();

    Outcome retry(List<DeadRef> letters);

    Outcome discard(List<DeadRef> letters);

    /** Returns the room of each queue or job, by its id. */
    Map<Integer, Room> room(Collection<Integer> owners);
}
