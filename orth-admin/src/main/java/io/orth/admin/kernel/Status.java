package io.orth.admin.kernel;

import java.util.Set;

/** A status of some entity. The enum that implements it is the entity's whole state machine: there are no edges but its own. */
public interface Status<S extends Enum<S>> {

    String name();

    /** Whether entities are made in it. */
    boolean isInitial();

    Set<S> next();

    /** Where one leads that was judged wrongly. */
    default Set<S> corrections() {
        return Set.of();
    }

    default boolean isTerminal() {
        return next().isEmpty();
    }
}
