package io.orth.admin.registry;

import java.time.Instant;

/** One boot of one executor. */
public record Executor(
        long id,
        String instanceId,
        int groupId,
        String groupName,
        String address,
        ExecutorStatus status,
        String host,
        long pid,
        String version,
        Instant registeredAt,
        Instant lastBeatAt) {}
