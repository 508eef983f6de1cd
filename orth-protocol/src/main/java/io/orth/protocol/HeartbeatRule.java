package io.orth.protocol;

import java.time.Duration;

/**
 * The one rule of liveness. An executor sends a heartbeat every {@code interval}; once its last acknowledged heartbeat is older than
 * {@code timeout}, it starts nothing and an admin may declare it dead. Every other duration of that kind is derived here. Admins send
 * their rule with the reply to each heartbeat, so that an executor never starts work that an admin may have given to another.
 *
 * @param timeout at least twice the interval, so that one late heartbeat decides nothing
 */
public record HeartbeatRule(Duration interval, Duration timeout) {

    private static final int DEFAULT_MISSED_HEARTBEATS = 3;
    private static final int MIN_MISSED_HEARTBEATS = 2;
    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

    /** Holds until an admin has sent its own. */
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

    /** With the default number of heartbeats that may be missed. */
    public static HeartbeatRule of(Duration interval) {
        return new HeartbeatRule(interval, interval.multipliedBy(DEFAULT_MISSED_HEARTBEATS));
    }

    /**
     * How long an executor may start work after it sent a heartbeat that was acknowledged. An admin counts its timeout from the
     * arrival of that heartbeat, which is later, so the executor stops first.
     */
    public Duration startLease() {
        return timeout;
    }

    /** How long an admin and its database must have been healthy before the admin declares an executor dead. */
    public Duration healthyFor() {
        return timeout;
    }

    /** The age of the last heartbeat from which on at least one is missing. */
    public Duration doubtAfter() {
        return timeout.dividedBy(2);
    }

    /** How long heartbeats may go unrecorded without an executor that sends them reaching the timeout. */
    public Duration slack() {
        return timeout.minus(interval);
    }
}
