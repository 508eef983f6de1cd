package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/**
 * A definition: what runs and when.
 *
 * @param stopReason why Orth itself stopped it; null where it runs or was paused by hand
 * @param version rises with each edit
 * @param sourceVersion which version of its source runs; null where it names a handler
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
