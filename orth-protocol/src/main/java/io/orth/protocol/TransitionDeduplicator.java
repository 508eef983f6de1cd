package io.orth.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells changes of state that are new from those that were told before: transitions arrive at least once, and in order for each
 * entity. It remembers the entities heard of last, so it is bounded; safe for use by many threads.
 *
 * <pre>{@code
 * if (deduplicator.look(transition) != Sighting.REPEATED) {
 *     handle(transition);
 * }
 * }</pre>
 */
public final class TransitionDeduplicator {

    private static final float LOAD_FACTOR = 0.75f;

    /** What a transition is to someone who has heard those before it. */
    public enum Sighting {
        /** The next one of its entity, or the first one heard of it. */
        NEW,
        /** It was told before. */
        REPEATED,
        /** Some before it were not told, such as those that were given up when nobody could take them. */
        AFTER_GAP
    }

    private record Entity(String kind, long id) {}

    private final Map<Entity, Integer> lastSequences;

    /** @param most how many entities are remembered; one forgotten since is new again */
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

    /** Remembers the transition and says what it was. */
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
