package io.orth.executor.internal.transport;

/** The admins an executor talks to, as one. */
@FunctionalInterface
public interface Admins {

    /** Sends to one admin after the other until one accepts. */
    Outcome post(String path, byte[] body) throws InterruptedException;
}
