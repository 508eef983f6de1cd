package io.orth.runtime;

/** Receives the outcome of each pass of a loop: for logs, metrics and tests. */
public interface LoopObserver {

    void passed(String loop, Duty.Pass pass);

    void failed(String loop, int failuresInARow, Throwable failure);
}
