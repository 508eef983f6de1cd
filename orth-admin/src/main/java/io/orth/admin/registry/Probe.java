package io.orth.admin.registry;

/** Check of which executor instance responds at an address. */
@FunctionalInterface
public interface Probe {

    /** Returns whether the instance {@code target} responds; false if there is no response or another instance responds. */
    boolean answers(Target target) throws InterruptedException;
}
