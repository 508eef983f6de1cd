package io.orth.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Detects transitions that were delivered before: transitions arrive at least once, and in order for each entity. Memory is bounded,
 * because only the most recent entities are remembered. Thread-safe.
 *
 * <pre>{@code
 * if (deduplicator.look(transition) != Sighting.REPEATED) {
 *     handle(transition);
 * }
 * }</pre>
 */
public final class TransitionDeduplicator {

    private static final float LOAD_FACTOR = 0.75f;

    /** Relation of a transition to those received before. */
    public enum Sighting {
        /** The next transition of its entity, or the first one received. */
        NEW,
        /** The transition was received before. */
        REPEATED,
        /** Earlier transitions are missing, for example because they were dropped for a sink that could not accept them. */
        AFTER_GAP
    }

    private record Entity(String kind, long id) {}

    private final Map<Entity, Integer> lastSequences;

    /** @param most maximum number of entities remembered; a forgotten one counts as new */
    public TransitionDeduplicator(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at least one entity must be remembered");
        }
        this.lastSequences = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Entity, Integer> eldest) {
                return size() > most;
            }
        };
    }

    /** Remembers the transition and classifies it. */
    public synchronized Sighting look(StateTransition transition) {
        Entity entity = new Entity(transition.entity(), transition.entityId());
        Integer last = lastSequences.get(entity);
        if (last != null && transition.sequence() <= last) {
            return Sighting.REPEATED;
        }
        lastSequences.put(entity, transition.sequence());
        return last == null || transition.sequence() == last + 1 ? Sighting.NEW : Sighting.AFTER_GAP;
    }
}
