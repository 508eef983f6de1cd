package io.orth.executor.internal.transport;

import java.time.Duration;

/** The admins of an executor, called as one. */
@FunctionalInterface
public interface Admins {

    /** Sends a request to one admin after the other until one accepts it. */
    Outcome post(String path, byte[] body) throws InterruptedException;

    /** Sends a request whose response may take longer or be larger than usual. */
    default Outcome post(String path, byte[] body, Limits limits) throws InterruptedException {
        return post(path, body);
    }

    /** The maximum duration and size of a response. */
    record Limits(Duration timeout, int answerBytes) {}
}
