package io.orth.admin.registry;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.orth.protocol.WorkerMetrics;
import java.time.Instant;

/**
 * One boot of one executor; of those that speak XXL-JOB's wire, all boots at one address.
 *
 * @param draining whether it takes no more work and will leave when it has finished what it has
 * @param unreachableAt when an admin last could not reach it, while that is so; null where all that tried could
 * @param metrics as of its last beat; null if it never said
 */
public record Executor(
        @JsonIgnore long id,
        String instanceId,
        int groupId,
        String groupName,
        String address,
        ExecutorKind kind,
        ExecutorStatus status,
        String host,
        @JsonIgnore long pid,
        @JsonIgnore String version,
        Instant registeredAt,
        Instant lastBeatAt,
        boolean draining,
        Instant unreachableAt,
        @JsonIgnore WorkerMetrics metrics) {}
