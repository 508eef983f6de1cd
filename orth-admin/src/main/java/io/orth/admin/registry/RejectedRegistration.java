package io.orth.admin.registry;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/** Registrations that were rejected alike, on any node. */
public record RejectedRegistration(
        @JsonUnwrapped RejectedAttempt attempt,
        @JsonProperty("attemptCount") long attempts,
        Instant firstSeenAt,
        Instant lastSeenAt) {}
