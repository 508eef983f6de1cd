package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.protocol.StateTransition.Work;
import java.util.Collection;
import java.util.Map;

/** Knows what entities of one kind are about. Each feature with a state machine has one. */
public interface WorkSource {

    EntityKind kind();

    /** Those that are known; what is gone is left out. */
    Map<Long, Work> find(Collection<Long> ids);
}
