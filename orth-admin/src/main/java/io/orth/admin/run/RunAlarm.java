package io.orth.admin.run;

import com.fasterxml.jackson.annotation.JsonValue;
import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.Arrays;
import java.util.Set;

/**
 * Alarm status of a run. It is not journaled, because the transitions of the alarms that name the run cover it. The codes are those of
 * XXL-JOB, in the database and over REST.
 */
public enum RunAlarm implements Status<RunAlarm> {
    /** The run has not failed, or has not been evaluated yet. */
    @Rescue(
            by = "alarm-monitor",
            when = "the run failed, and the admin that recorded the failure did not check it",
            after = "orth.alarm.check-every (2 s)")
    UNDECIDED(0),
    /** An unsent alarm names the run. */
    @Rescue(
            by = "alarm-sender",
            when = "the admin that was sending its alarm stopped",
            after = "the lease of that admin")
    @Rescue(
            by = "alarm-monitor",
            when = "no pending alarm names it, because its channel was deleted",
            after = "orth.alarm.check-every (2 s)")
    TAKEN(-1),
    /** No channel matches, or the run was retried or killed, or its job was deleted. */
    NOT_NEEDED(1),
    /** Sent by at least one channel. */
    SENT(2),
    /** No channel could be notified. */
    FAILED(3);

    private final int code;

    RunAlarm(int code) {
        this.code = code;
    }

    @JsonValue
    public int code() {
        return code;
    }

    public static RunAlarm of(int code) {
        return Arrays.stream(values())
                .filter(each -> each.code == code)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no alarm status has the code " + code));
    }

    /** A run whose channel was deleted is evaluated again. */
    @Override
    public Set<RunAlarm> next() {
        return switch (this) {
            case UNDECIDED -> Set.of(TAKEN);
            case TAKEN -> Set.of(UNDECIDED, NOT_NEEDED, SENT, FAILED);
            case NOT_NEEDED, SENT, FAILED -> Set.of();
        };
    }

    /** If a further channel delivers the alarm later, the status becomes SENT. */
    @Override
    public Set<RunAlarm> corrections() {
        return this == FAILED ? Set.of(SENT) : Set.of();
    }
}
