package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.protocol.StateTransition.Work;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Facts about entities of one kind. Each feature with a state machine has one; of several for the same kind, each has the facts about
 * entities that the others do not know.
 */
public interface WorkSource {

    EntityKind kind();

    /** Those that are known; what is gone is left out. */
    Map<Long, Work> find(Collection<Long> ids);

    /** When it changed; asked of kinds whose changes are packed, which are found by that. */
    default Set<Instant> momentsOf(long id) {
        return Set.of();
    }
}
