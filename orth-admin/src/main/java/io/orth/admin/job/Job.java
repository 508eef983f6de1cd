package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/**
 * A job definition: what runs and when.
 *
 * @param stopReason why Orth stopped the job; null if it is enabled or was paused by a user
 * @param version incremented with each edit
 * @param sourceVersion the version of its source that runs; null if it names a handler
 */
public record Job(
        int id,
        @JsonUnwrapped JobSpec spec,
        String groupName,
        boolean enabled,
        String stopReason,
        Instant nextFireAt,
        int version,
        @JsonIgnore Integer sourceVersion,
        Instant createdAt,
        Instant updatedAt) {}
