package io.orth.executor.internal.transport;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import java.nio.charset.StandardCharsets;

/** The outcome of a request to the admins. */
public sealed interface Outcome {

    /** An admin responded with code 200; {@code answer} holds the other fields of the response. */
    record Accepted(JsonObject answer) implements Outcome {

        /** Creates the outcome of a response without further fields. */
        public Accepted() {
            this(Json.readObject("{\"code\":200}".getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** At least one admin responded, and none with code 200. */
    record Refused(String reason) implements Outcome {}

    /** No admin returned a readable response. */
    record Unreachable(String reason) implements Outcome {}
}
