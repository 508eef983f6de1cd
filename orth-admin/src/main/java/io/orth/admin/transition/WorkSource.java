package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.protocol.StateTransition.Work;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** Knows what entities of one kind are about. Each feature with a state machine has one. */
public interface WorkSource {

    EntityKind kind();

    /** Those that are known; what is gone is left out. */
    Map<Long, Work> find(Collection<Long> ids);

    /** When it changed; asked of kinds whose changes are packed, which are found by that. */
    default Set<Instant> momentsOf(long id) {
        return Set.of();
    }
}
