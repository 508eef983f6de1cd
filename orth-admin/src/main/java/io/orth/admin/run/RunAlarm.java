package io.orth.admin.run;

import io.orth.admin.kernel.Status;
import java.util.Arrays;
import java.util.Set;

/**
 * Where a run stands with alarms. It is not journalled: the transitions of the alarms that name the run tell of it. The codes are those of
 * XXL-JOB, in the database and over REST.
 */
public enum RunAlarm implements Status<RunAlarm> {
    /** It has not failed, or was not looked at yet. */
    UNDECIDED(0),
    /** An alarm names it that is to be sent. */
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

    public int code() {
        return code;
    }

    public static RunAlarm of(int code) {
        return Arrays.stream(values())
                .filter(each -> each.code == code)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no alarm status has the code " + code));
    }

    @Override
    public boolean isInitial() {
        return this == UNDECIDED;
    }

    /** One whose channel was deleted is undecided again; one that another channel hears of later was sent after all. */
    @Override
    public Set<RunAlarm> next() {
        return switch (this) {
            case UNDECIDED -> Set.of(TAKEN);
            case TAKEN -> Set.of(UNDECIDED, NOT_NEEDED, SENT, FAILED);
            case FAILED -> Set.of(SENT);
            case NOT_NEEDED, SENT -> Set.of();
        };
    }
}
