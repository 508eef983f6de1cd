package io.orth.admin.kernel;

import java.util.List;

/** Reacts to status changes of one kind of entity, in the transaction that made them. */
public interface TransitionListener {

    EntityKind entity();

    /** @param changes changes of this kind, at least one, in id order, already applied and journaled */
    void changed(List<StateChange> changes);
}
