package io.orth.executor.internal.queue;

import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.transport.Admins;
import java.time.Duration;

/**
 * What queues need from the executor.
 *
 * @param patience how long an admin may hold back an answer until there are messages
 * @param timeout how long an answer may take beyond that
 */
public record QueueSettings(
        String instanceId,
        Admins admins,
        TriggerDesk desk,
        JobThreads lanes,
        StartGate gate,
        Duration patience,
        Duration timeout) {

    /** Usually. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);
}
