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

/** Says which queues have something new: on this node at once, to other nodes in a moment, and once for many pushes in a row. */
@Component
final class QueueSignals implements Duty {

    static final String CHANNEL = "orth_queue";

    /** Transactions that notify commit one after the other, so they are kept rare. */
    private static final Duration GAP = Duration.ofMillis(50);

    private static final String NOTIFY =
            "select pg_notify('" + CHANNEL + "', name)::text from unnest(:names) as q(name)";

    private final JdbcClient jdbc;
    private final Clock clock;
    private final Set<String> untold = ConcurrentHashMap.newKeySet();
    private volatile Consumer<String> here = queue -> {};
    private volatile Runnable tell = () -> {};
    /** Touched by the loop's thread only. */
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

    /** After the commit: a queue may have a message that can be begun. */
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
