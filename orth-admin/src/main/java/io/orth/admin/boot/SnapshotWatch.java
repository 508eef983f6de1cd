package io.orth.admin.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Monitor of the age of the database's oldest snapshot, which names the holder. PostgreSQL keeps every row version that the snapshot can
 * see, and each claim has to skip the versions left by all messages completed since.
 */
final class SnapshotWatch implements Duty {

    /** Without {@code pg_read_all_stats}, PostgreSQL hides the transaction start and the state of other users' sessions. */
    private static final String HOLDERS = """
            select 'session ' || pid as id,
                   format('session %s (application "%s", user "%s")', pid, application_name, usename) as name,
                   coalesce(state, 'state unknown') as state,
                   coalesce(backend_xmin, backend_xid)::text as oldest,
                   extract(epoch from clock_timestamp() - xact_start)::float8 as age
              from pg_stat_activity
             where coalesce(backend_xmin, backend_xid) is not null
               and (datname = current_database() or datname is null)
               and coalesce(backend_type, '') not in ('autovacuum worker', 'parallel worker')
               and pid <> pg_backend_pid()
            union all
            select 'transaction ' || gid, format('prepared transaction "%s" (user "%s")', gid, owner), 'prepared', transaction::text,
                   extract(epoch from clock_timestamp() - prepared)::float8
              from pg_prepared_xacts
             where database = current_database()
            union all
            select 'slot ' || slot_name, format('replication slot "%s"', slot_name),
                   case when active then 'active' else 'inactive' end, xmin::text, null
              from pg_replication_slots
             where xmin is not null
            """;

    /** Regular transactions are shorter; naming them would add one metric series each. */
    private static final Duration NAMED_AFTER = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(SnapshotWatch.class);

    private record Held(String id, String oldest) {}

    /** @param name excludes the state, so that it stays the same while the snapshot is held */
    private record Holder(String id, String name, String state, double age) {

        String description() {
            return "%s, %s".formatted(name, state);
        }
    }

    private final JdbcClient jdbc;
    private final Ticker ticker;
    private final SystemLog systemLog;
    private final Duration warnAfter;
    /** When each holder was first seen, for holders whose start PostgreSQL does not report. Accessed by the loop's thread only. */
    private Map<Held, Long> seenSince = Map.of();
    /** Descriptions of the holders that were warned about, by id. Accessed by the loop's thread only. */
    private Map<String, String> warned = Map.of();

    private final MultiGauge oldest;

    SnapshotWatch(JdbcClient jdbc, Ticker ticker, MeterRegistry meters, SystemLog systemLog, Duration warnAfter) {
        this.jdbc = jdbc;
        this.ticker = ticker;
        this.systemLog = systemLog;
        this.warnAfter = warnAfter;
        this.oldest = MultiGauge.builder("orth.database.oldest.snapshot")
                .description("age of the oldest snapshot that keeps row versions from being vacuumed")
                .baseUnit("seconds")
                .register(meters);
        show(List.of());
    }

    @Override
    public Pass run() {
        List<Holder> holders = holders();
        show(holders);
        warnOf(holders);
        return Pass.DRAINED;
    }

    /** Publishes the oldest snapshot only, so that there is one series at any time. */
    private void show(List<Holder> holders) {
        Optional<Holder> first = holders.stream().max(Comparator.comparingDouble(Holder::age));
        double age = first.map(Holder::age).orElse(0.0);
        String name = first.filter(holder -> age >= NAMED_AFTER.toSeconds())
                .map(Holder::name)
                .orElse("");
        oldest.register(List.of(MultiGauge.Row.of(Tags.of("holder", name), age)), true);
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
                    double age = Math.max(row.getDouble("age"), (now - since) / 1e9);
                    return new Holder(id, row.getString("name"), row.getString("state"), age);
                })
                .list();
        seenSince = seen;
        return holders;
    }

    /** Logs once when a holder's snapshot becomes too old, and once when the snapshot is released. */
    private void warnOf(List<Holder> holders) {
        Map<String, String> old = new HashMap<>();
        for (Holder holder : holders) {
            if (holder.age() >= warnAfter.toSeconds()) {
                old.put(holder.id(), holder.description());
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
                .addKeyValue("holder", holder.description())
                .addKeyValue("seconds", (long) holder.age())
                .log("an old snapshot of the database makes claims slower the longer it is held");
        systemLog.warn("%s has held a snapshot of the database for %d s: claims get slower the longer it is held"
                .formatted(holder.description(), (long) holder.age()));
    }
}
