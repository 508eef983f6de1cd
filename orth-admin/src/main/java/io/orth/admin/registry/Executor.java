package io.orth.admin.registry;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.orth.protocol.WorkerMetrics;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/**
 * One boot of an executor; for XXL-JOB executors, all boots at one address.
 *
 * <p>Its schema is named apart from that of {@code StateTransition.Executor}.
 *
 * @param draining whether the executor accepts no new work and will deregister once its current work is finished
 * @param unreachableAt when an admin last failed to reach the executor; null if no admin currently fails
 * @param metrics as of the last heartbeat; null if the executor never reported any
 */
@Schema(name = "RegisteredExecutor")
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
