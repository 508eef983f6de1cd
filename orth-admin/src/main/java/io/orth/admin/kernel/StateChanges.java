package io.orth.admin.kernel;

import java.util.List;

/** Takes down status changes in the transaction that made them. */
@FunctionalInterface
public interface StateChanges {

    /** @param changes of one kind of entity */
    void append(List<StateChange> changes);
}
