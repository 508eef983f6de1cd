package io.orth.admin.run;

import com.fasterxml.jackson.annotation.JsonValue;
import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.Arrays;
import java.util.Set;

/**
 * Where a run stands with alarms. It is not journalled: the transitions of the alarms that name the run tell of it. The codes are those of
 * XXL-JOB, in the database and over REST.
 */
public enum RunAlarm implements Status<RunAlarm> {
    /** It has not failed, or was not looked at yet. */
    @Rescue(
            by = "alarm-monitor",
            when = "the run failed and the admin that recorded it did not look",
            after = "orth.alarm.check-every (2 s)")
    UNDECIDED(0),
    /** An alarm names it that is to be sent. */
    @Rescue(
            by = "alarm-sender",
            when = "the admin that was sending its alarm stopped",
            after = "the lease of that admin")
    @Rescue(
            by = "alarm-monitor",
            when = "no open alarm names it, because its channel was deleted",
            after = "orth.alarm.check-every (2 s)")
    TAKEN(-1),
    /** No channel watches it, it was retried, killed, or its job is gone. */
    NOT_NEEDED(1),
    /** By one channel at least. */
    SENT(2),
    /** No channel could be told. */
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

    /** One whose channel was deleted is undecided again. */
    @Override
    public Set<RunAlarm> next() {
        return switch (this) {
            case UNDECIDED -> Set.of(TAKEN);
            case TAKEN -> Set.of(UNDECIDED, NOT_NEEDED, SENT, FAILED);
            case NOT_NEEDED, SENT, FAILED -> Set.of();
        };
    }

    /** One that another channel hears of later was sent after all. */
    @Override
    public Set<RunAlarm> corrections() {
        return this == FAILED ? Set.of(SENT) : Set.of();
    }
}
