package io.orth.executor.internal.transport;

import java.time.Duration;

/** The admins an executor talks to, as one. */
@FunctionalInterface
public interface Admins {

    /** Sends to one admin after the other until one accepts. */
    Outcome post(String path, byte[] body) throws InterruptedException;

    /** The same where an answer may take longer, or be longer, than others. */
    default Outcome post(String path, byte[] body, Limits limits) throws InterruptedException {
        return post(path, body);
    }

    /** How long an admin may take to answer, and how many bytes its answer may have. */
    record Limits(Duration timeout, int answerBytes) {}
}
