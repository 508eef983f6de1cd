package io.orth.admin.registry;

import java.io.IOException;

/** Client that asks executors to drain. */
@FunctionalInterface
public interface Drainer {

    /** Returns once the instance {@code target} has agreed to drain. Throws if the executor cannot be reached or rejects the request. */
    void drain(Target target) throws IOException, InterruptedException;
}
