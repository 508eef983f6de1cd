package io.orth.admin.registry;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/** Rejected registrations of the same kind, counted across all nodes. */
public record RejectedRegistration(
        @JsonUnwrapped RejectedAttempt attempt,
        @JsonProperty("attemptCount") long attempts,
        Instant firstSeenAt,
        Instant lastSeenAt) {}
