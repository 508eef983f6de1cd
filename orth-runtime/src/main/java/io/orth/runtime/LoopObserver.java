package io.orth.runtime;

/** Hears what the passes of loops came to: for logs and metrics, and for tests to wait on. */
public interface LoopObserver {

    void passed(String loop, Duty.Pass pass);

    void failed(String loop, int failuresInARow, Throwable failure);
}
