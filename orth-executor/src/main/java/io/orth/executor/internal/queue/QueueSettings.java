package io.orth.executor.internal.queue;

import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.transport.Admins;
import java.time.Duration;

/**
 * The settings and collaborators that queues take from the executor.
 *
 * @param patience how long an admin may hold a long poll open until there are messages
 * @param timeout how long a response may take beyond that
 */
public record QueueSettings(
        String instanceId,
        Admins admins,
        TriggerDesk desk,
        JobThreads lanes,
        StartGate gate,
        Duration patience,
        Duration timeout) {

    /** The default. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);
}
