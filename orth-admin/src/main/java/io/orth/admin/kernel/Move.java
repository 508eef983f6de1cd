package io.orth.admin.kernel;

/** A status change requested for one row; implementations add further columns to change. */
public interface Move<S extends Enum<S>> {

    long id();

    S from();

    S to();

    /** Returns the cause; its name is a stable upper-case word. */
    Enum<?> reason();

    default String cause() {
        return reason().name();
    }

    /** Returns the claim the row must be under; null if any claim is accepted. */
    default Fence fence() {
        return null;
    }
}
