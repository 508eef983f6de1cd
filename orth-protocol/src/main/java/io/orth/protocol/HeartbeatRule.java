package io.orth.protocol;

import java.time.Duration;

/**
 * The single definition of liveness. An executor sends a heartbeat every {@code interval}. Once its last acknowledged heartbeat is older
 * than {@code timeout}, it starts nothing and an admin may declare it dead. All related durations are derived here. Admins send their
 * rule with the reply to each heartbeat, so that an executor never starts work that an admin may have reassigned.
 *
 * @param timeout at least twice the interval, so that a single late heartbeat has no effect
 */
public record HeartbeatRule(Duration interval, Duration timeout) {

    private static final int DEFAULT_MISSED_HEARTBEATS = 3;
    private static final int MIN_MISSED_HEARTBEATS = 2;
    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

    /** Applies until an admin has sent its own rule. */
    public static final HeartbeatRule DEFAULT = of(DEFAULT_INTERVAL);

    public HeartbeatRule {
        if (interval.compareTo(MIN_INTERVAL) < 0) {
            throw new IllegalArgumentException(
                    "the heartbeat interval (%s) must be at least %s".formatted(interval, MIN_INTERVAL));
        }
        if (timeout.compareTo(interval.multipliedBy(MIN_MISSED_HEARTBEATS)) < 0) {
            throw new IllegalArgumentException(
                    "the heartbeat timeout (%s) must be at least twice the heartbeat interval (%s)"
                            .formatted(timeout, interval));
        }
    }

    /** Returns a rule with the default number of missed heartbeats. */
    public static HeartbeatRule of(Duration interval) {
        return new HeartbeatRule(interval, interval.multipliedBy(DEFAULT_MISSED_HEARTBEATS));
    }

    /**
     * Returns how long an executor may start work after sending a heartbeat that was acknowledged. An admin counts its timeout from the
     * arrival of that heartbeat, which is later, so the executor stops first.
     */
    public Duration startLease() {
        return timeout;
    }

    /** Returns how long an admin and its database must have been healthy before the admin declares an executor dead. */
    public Duration healthyFor() {
        return timeout;
    }

    /** Returns the age of the last heartbeat from which on at least one is missing. */
    public Duration doubtAfter() {
        return timeout.dividedBy(2);
    }

    /** Returns how long heartbeats may go unrecorded before an executor that sends them reaches the timeout. */
    public Duration slack() {
        return timeout.minus(interval);
    }
}
