package io.orth.admin.registry;

/** Asks an address who is there. */
@FunctionalInterface
public interface Probe {

    /** Whether {@code target}'s very instance answers; false when nobody or somebody else does. */
    boolean answers(Target target) throws InterruptedException;
}
