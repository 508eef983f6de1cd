package io.orth.admin.boot;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Watches how old the oldest snapshot of the database is, and names its holder. PostgreSQL keeps every row version that the snapshot
 * can see, and each claim has to pass those of the messages completed since.
 */
final class SnapshotWatch implements Duty {

    /** A user without {@code pg_read_all_stats} is not told since when other users' transactions run, nor their state. */
    private static final String HOLDERS = """
            select 'session ' || pid as id,
                   format('session %s (application "%s", user "%s", %s)', pid, application_name, usename,
                          coalesce(state, 'state unknown')) as name,
                   coalesce(backend_xmin, backend_xid)::text as oldest,
                   extract(epoch from clock_timestamp() - xact_start)::float8 as age
              from pg_stat_activity
             where coalesce(backend_xmin, backend_xid) is not null
               and (datname = current_database() or datname is null)
               and coalesce(backend_type, '') not in ('autovacuum worker', 'parallel worker')
               and pid <> pg_backend_pid()
            union all
            select 'transaction ' || gid, format('prepared transaction "%s" (user "%s")', gid, owner), transaction::text,
                   extract(epoch from clock_timestamp() - prepared)::float8
              from pg_prepared_xacts
             where database = current_database()
            union all
            select 'slot ' || slot_name,
                   format('replication slot "%s" (%s)', slot_name, case when active then 'active' else 'inactive' end),
                   xmin::text, null
              from pg_replication_slots
             where xmin is not null
            """;

    private static final Logger log = LoggerFactory.getLogger(SnapshotWatch.class);

    private record Held(String id, String oldest) {}

    private record Holder(String id, String name, double age) {}

    private final JdbcClient jdbc;
    private final Ticker ticker;
    private final SystemLog systemLog;
    private final Duration warnAfter;
    /** For holders of which the database does not tell since when they hold it. Touched by the loop's thread only. */
    private Map<Held, Long> seenSince = Map.of();
    /** Names by id. Touched by the loop's thread only. */
    private Map<String, String> warned = Map.of();

    private volatile double oldestSeconds;

    SnapshotWatch(JdbcClient jdbc, Ticker ticker, MeterRegistry meters, SystemLog systemLog, Duration warnAfter) {
        this.jdbc = jdbc;
        this.ticker = ticker;
        this.systemLog = systemLog;
        this.warnAfter = warnAfter;
        Gauge.builder("orth.database.oldest.snapshot", this, watch -> watch.oldestSeconds)
                .description("age of the oldest snapshot that keeps row versions from being vacuumed")
                .baseUnit("seconds")
                .register(meters);
    }

    @Override
    public Pass run() {
        List<Holder> holders = holders();
        oldestSeconds = holders.stream().mapToDouble(Holder::age).max().orElse(0);
        warnOf(holders);
        return Pass.DRAINED;
    }

    private List<Holder> holders() {
        long now = ticker.nanos();
        Map<Held, Long> seen = new HashMap<>();
        List<Holder> holders = jdbc.sql(HOLDERS)
                .query((row, n) -> {
                    String id = row.getString("id");
                    Held held = new Held(id, row.getString("oldest"));
                    long since = seenSince.getOrDefault(held, now);
                    seen.put(held, since);
                    return new Holder(id, row.getString("name"), Math.max(row.getDouble("age"), (now - since) / 1e9));
                })
                .list();
        seenSince = seen;
        return holders;
    }

    /** Once for each holder, and once when it has let go. */
    private void warnOf(List<Holder> holders) {
        Map<String, String> old = new HashMap<>();
        for (Holder holder : holders) {
            if (holder.age() >= warnAfter.toSeconds()) {
                old.put(holder.id(), holder.name());
                if (!warned.containsKey(holder.id())) {
                    warn(holder);
                }
            }
        }
        warned.forEach((id, name) -> {
            if (!old.containsKey(id)) {
                log.atInfo().addKeyValue("holder", name).log("an old snapshot of the database is gone");
                systemLog.info("%s no longer holds an old snapshot of the database".formatted(name));
            }
        });
        warned = old;
    }

    private void warn(Holder holder) {
        log.atWarn()
                .addKeyValue("holder", holder.name())
                .addKeyValue("seconds", (long) holder.age())
                .log("an old snapshot of the database makes claims slower the longer it is held");
        systemLog.warn("%s has held a snapshot of the database for %d s: claims get slower the longer it is held"
                .formatted(holder.name(), (long) holder.age()));
    }
}
