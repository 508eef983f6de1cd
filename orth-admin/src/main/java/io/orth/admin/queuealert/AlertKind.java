package io.orth.admin.queuealert;

import java.time.Duration;

/** Type of an alert condition. */
public enum AlertKind {
    /** Too many messages wait, or one waits for too long. */
    BACKLOG(Duration.ofMinutes(60), Duration.ZERO),
    /** Too many of the finished attempts have failed. */
    FAILURE_RATIO(Duration.ofMinutes(30), Duration.ZERO),
    /** Messages wait, and no executor polls. */
    NO_WORKERS(Duration.ofMinutes(15), Duration.ofMinutes(1));

    private final Duration usualCoolDown;
    private final Duration usualFor;

    AlertKind(Duration usualCoolDown, Duration usualFor) {
        this.usualCoolDown = usualCoolDown;
        this.usualFor = usualFor;
    }

    public Duration usualCoolDown() {
        return usualCoolDown;
    }

    /** Returns how long the condition must hold before the rule fires, unless the rule defines it. */
    public Duration usualFor() {
        return usualFor;
    }
}
