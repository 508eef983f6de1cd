package io.orth.admin.alarm;

import io.orth.admin.kernel.Transactions;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;

/** Forgets alarms that have been over for long, a bounded number at a time. */
final class AlarmPruner implements Duty {

    private static final int BATCH = 200;

    private final AlarmRepository alarms;
    private final Transactions transactions;
    private final Clock clock;
    private final Duration keep;

    AlarmPruner(AlarmRepository alarms, Transactions transactions, Clock clock, Duration keep) {
        this.alarms = alarms;
        this.transactions = transactions;
        this.clock = clock;
        this.keep = keep;
    }

    @Override
    public Pass run() {
        return Pass.after(transactions.call(() -> alarms.prune(clock.instant().minus(keep), BATCH)), BATCH);
    }
}
