package io.orth.admin.kernel;

import java.util.Set;

/** A status of some entity. The enum that implements it is the entity's whole state machine. */
public interface Status<S extends Enum<S>> {

    String name();

    Set<S> next();

    default boolean isTerminal() {
        return next().isEmpty();
    }
}
