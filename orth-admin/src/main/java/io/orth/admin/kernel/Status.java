package io.orth.admin.kernel;

import java.util.Set;

/** A status of some entity. The enum that implements it is the entity's whole state machine: there are no edges but its own. */
public interface Status<S extends Enum<S>> {

    String name();

    int ordinal();

    /** Whether entities are created in it: only in the first one, unless the enum says otherwise. */
    default boolean isInitial() {
        return ordinal() == 0;
    }

    Set<S> next();

    /** Where one leads that was judged wrongly. */
    default Set<S> corrections() {
        return Set.of();
    }

    default boolean isTerminal() {
        return next().isEmpty();
    }
}
