package io.orth.executor;

import java.time.Duration;

/**
 * The status of an executor, for health checks and operators.
 *
 * @param registered whether an admin acknowledged the last heartbeat and the executor has not deregistered since
 * @param sinceLastBeat time since the last acknowledged heartbeat was sent; null if there was none yet
 * @param running number of runs in progress
 * @param queued number of accepted runs that wait
 * @param leakedThreads number of threads whose runs ended but which did not stop
 * @param unsentResults number of results that no admin has confirmed yet; an unread file of results on disk counts as one
 * @param draining whether the executor accepts no new work and deregisters when it has finished the work it has
 * @param heartbeatTimeout time without an acknowledged heartbeat after which the executor starts nothing new
 */
public record ExecutorStatus(
        boolean registered,
        Duration sinceLastBeat,
        int running,
        int queued,
        int leakedThreads,
        long unsentResults,
        boolean draining,
        Duration heartbeatTimeout) {}
