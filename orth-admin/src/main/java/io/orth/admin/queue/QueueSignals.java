package io.orth.admin.queue;

import io.orth.admin.kernel.SqlArrays;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Announces queues with new messages: on this node immediately, to other nodes at most once per 50 ms. */
@Component
final class QueueSignals implements Duty {

    static final String CHANNEL = "orth_queue";

    /** Transactions that notify commit one after the other, so notifications are kept rare. */
    private static final Duration GAP = Duration.ofMillis(50);

    private static final String NOTIFY =
            "select pg_notify('" + CHANNEL + "', name)::text from unnest(:names) as q(name)";

    private final JdbcClient jdbc;
    private final Clock clock;
    private final Set<String> untold = ConcurrentHashMap.newKeySet();
    private volatile Consumer<String> here = queue -> {};
    private volatile Runnable tell = () -> {};
    /** Used by the loop's thread only. */
    private Instant toldAt = Instant.EPOCH;

    QueueSignals(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** @param loop makes this duty run a pass */
    void connect(Consumer<String> wake, Runnable loop) {
        here = wake;
        tell = loop;
    }

    /** Announces that a queue may have a claimable message. Call after the commit. */
    void pushed(String queue) {
        here.accept(queue);
        if (untold.add(queue)) {
            tell.run();
        }
    }

    @Override
    public Pass run() {
        Instant now = clock.instant();
        Instant next = toldAt.plus(GAP);
        if (now.isBefore(next) && !untold.isEmpty()) {
            return Pass.nextAt(next);
        }
        List<String> names = List.copyOf(untold);
        if (!names.isEmpty()) {
            toldAt = now;
            names.forEach(untold::remove);
            jdbc.sql(NOTIFY)
                    .param("names", SqlArrays.texts(names, name -> name))
                    .query(String.class)
                    .list();
        }
        return Pass.DRAINED;
    }
}
