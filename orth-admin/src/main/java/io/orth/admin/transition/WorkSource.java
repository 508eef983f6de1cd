package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.protocol.StateTransition.Work;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Facts about entities of one kind. Each feature with a state machine has a source. If a kind has several sources, each covers entities
 * unknown to the others.
 */
public interface WorkSource {

    EntityKind kind();

    /** Returns the facts about known entities; deleted ones are omitted. */
    Map<Long, Work> find(Collection<Long> ids);

    /** Returns the times at which the entity changed. Called for kinds whose changes are packed, because packs are found by time. */
    default Set<Instant> momentsOf(long id) {
        return Set.of();
    }
}
