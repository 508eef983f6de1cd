package io.orth.executor;

import java.time.Duration;

/**
 * How an executor does, for health checks and for people.
 *
 * @param registered whether an admin acknowledged the last beat, and it has not taken leave since
 * @param sinceLastBeat how long ago the last acknowledged beat was sent; null if there was none yet
 * @param running runs that go on now
 * @param queued accepted runs that wait
 * @param leakedThreads threads of runs that were ended but do not stop
 * @param unsentResults results that no admin has confirmed yet; a file of them that waits on disk counts as one
 * @param draining whether it takes no more work and leaves when it has finished what it has
 * @param heartbeatTimeout after so long without an acknowledged beat it starts nothing new
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
