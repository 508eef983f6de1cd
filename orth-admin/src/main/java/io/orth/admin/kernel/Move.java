package io.orth.admin.kernel;

/** A status change wanted for one row; implementations add what else changes with it. */
public interface Move<S extends Enum<S>> {

    long id();

    S from();

    S to();

    /** Why; its name is a stable upper-case word. */
    Enum<?> reason();

    default String cause() {
        return reason().name();
    }

    /** The claim that the row must be under; null where it does not matter. */
    default Fence fence() {
        return null;
    }
}
