package io.orth.executor.internal.transport;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import java.nio.charset.StandardCharsets;

/** What came of a request to the admins. */
public sealed interface Outcome {

    /** An admin answered with code 200, and what else it said. */
    record Accepted(JsonObject answer) implements Outcome {

        /** It said nothing else. */
        public Accepted() {
            this(Json.readObject("{\"code\":200}".getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** At least one admin answered, and none with code 200. */
    record Refused(String reason) implements Outcome {}

    /** No admin gave an answer that can be read. */
    record Unreachable(String reason) implements Outcome {}
}
