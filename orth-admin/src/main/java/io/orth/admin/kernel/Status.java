package io.orth.admin.kernel;

import java.util.Set;

/** A status of some entity. The implementing enum is the complete state machine: it defines all edges. */
public interface Status<S extends Enum<S>> {

    String name();

    int ordinal();

    /** Returns whether entities may be created in this status; by default only in the first one. */
    default boolean isInitial() {
        return ordinal() == 0;
    }

    Set<S> next();

    /** Returns the targets of corrections, after a wrong decision has led to this status. */
    default Set<S> corrections() {
        return Set.of();
    }

    default boolean isTerminal() {
        return next().isEmpty();
    }
}
