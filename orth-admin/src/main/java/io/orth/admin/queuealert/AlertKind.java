package io.orth.admin.queuealert;

import java.time.Duration;

/** What a rule watches for. */
public enum AlertKind {
    /** Too many messages wait, or one does for too long. */
    BACKLOG(Duration.ofMinutes(60), Duration.ZERO),
    /** Too many of the attempts that ended have failed. */
    FAILURE_RATIO(Duration.ofMinutes(30), Duration.ZERO),
    /** Messages wait, and no executor asks for them. */
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

    /** For how long it must hold before it fires. */
    public Duration usualFor() {
        return usualFor;
    }
}
