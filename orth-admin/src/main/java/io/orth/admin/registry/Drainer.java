package io.orth.admin.registry;

import java.io.IOException;

/** Tells executors to take no more work. */
@FunctionalInterface
public interface Drainer {

    /** Returns when {@code target}'s very instance has agreed; fails if it cannot be reached or refuses. */
    void drain(Target target) throws IOException, InterruptedException;
}
