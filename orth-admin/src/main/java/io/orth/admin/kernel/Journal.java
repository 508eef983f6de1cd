package io.orth.admin.kernel;

import java.util.List;

/** Records status changes in the transaction that made them. */
@FunctionalInterface
public interface Journal {

    /** @param changes changes of one kind of entity */
    void append(List<StateChange> changes);
}
