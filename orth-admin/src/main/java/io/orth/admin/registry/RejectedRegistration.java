package io.orth.admin.registry;

import java.time.Instant;

/** Registrations that were rejected alike, on any node. */
public record RejectedRegistration(RejectedAttempt attempt, long attempts, Instant firstSeenAt, Instant lastSeenAt) {}
