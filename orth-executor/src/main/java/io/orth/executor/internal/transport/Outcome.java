package io.orth.executor.internal.transport;

/** What came of a request to the admins. */
public sealed interface Outcome {

    /** An admin answered with code 200. */
    record Accepted() implements Outcome {}

    /** At least one admin answered, and none with code 200. */
    record Refused(String reason) implements Outcome {}

    /** No admin gave an answer that can be read. */
    record Unreachable(String reason) implements Outcome {}
}
