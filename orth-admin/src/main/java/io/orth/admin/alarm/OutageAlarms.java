package io.orth.admin.alarm;

import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.registry.ExecutorKind;
import io.orth.admin.registry.OutageListener;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Notifies the channels that watch everything of a suspected outage of executors and of its end. Every node notices an outage; only the
 * holder of the lease for that kind of executor sends the alarm.
 */
@Component
final class OutageAlarms implements OutageListener {

    /** Exceeds the time for which an outage can be suspected before its executors are declared dead. */
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static final String RULE = "executor outage";

    private final Alarms alarms;
    private final JdbcClient jdbc;
    private final Node node;
    private final Transactions transactions;
    private final Clock clock;

    OutageAlarms(Alarms alarms, JdbcClient jdbc, Node node, Transactions transactions, Clock clock) {
        this.alarms = alarms;
        this.jdbc = jdbc;
        this.node = node;
        this.transactions = transactions;
        this.clock = clock;
    }

    @Override
    public void changed(ExecutorKind kind, Change change, String text) {
        String duty = "outage-alarm-" + kind.name().toLowerCase(Locale.ROOT);
        ClusterLease lease = new ClusterLease(jdbc, duty, node, LEASE);
        if (lease.hold().isEmpty()) {
            return;
        }
        AlarmNotice notice = new AlarmNotice(null, RULE, change == Change.RESOLVED, text, null, clock.instant());
        transactions.run(() -> alarms.tell(List.of(notice)));
        if (change != Change.SUSPECTED) {
            lease.release();
        }
    }
}
