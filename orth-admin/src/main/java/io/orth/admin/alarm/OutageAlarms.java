package io.orth.admin.alarm;

import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.registry.OutageListener;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Notifies the channels that watch everything of a suspected outage of executors, and of its end. Every node notices an outage; the
 * one that holds the lease sends the alarm.
 */
final class OutageAlarms implements OutageListener {

    static final String DUTY = "outage-alarm";

    /** Longer than an outage can be suspected before its executors are declared dead. */
    static final Duration LEASE = Duration.ofMinutes(10);

    private static final String RULE = "executor outage";

    private final Alarms alarms;
    private final ClusterLease lease;
    private final Transactions transactions;
    private final Clock clock;

    OutageAlarms(Alarms alarms, ClusterLease lease, Transactions transactions, Clock clock) {
        this.alarms = alarms;
        this.lease = lease;
        this.transactions = transactions;
        this.clock = clock;
    }

    @Override
    public void changed(boolean suspected, String text) {
        if (lease.hold().isEmpty()) {
            return;
        }
        AlarmNotice notice = new AlarmNotice(null, RULE, !suspected, text, null, clock.instant());
        transactions.run(() -> alarms.tell(List.of(notice)));
        if (!suspected) {
            lease.release();
        }
    }
}
