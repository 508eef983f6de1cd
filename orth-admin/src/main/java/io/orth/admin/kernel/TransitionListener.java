package io.orth.admin.kernel;

import java.util.List;

/** Does what follows from status changes of one kind of entity, in the transaction that made them. */
public interface TransitionListener {

    EntityKind entity();

    /** @param changes of this kind, at least one, in the order of their ids; they are made and journalled */
    void changed(List<StateChange> changes);
}
