package io.orth.admin.job;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds and advances jobs whose time has come. Callers own the transaction. */
@Repository
public class DueJobs {

    private static final String LOCK = """
            select id, name, group_id, handler, param, schedule_type, cron, zone, interval_ms, misfire, block_strategy,
                   concurrency, timeout_seconds, glue_type, source_version, next_fire_at
              from orth_job
             where next_fire_at <= :now
             order by next_fire_at
             limit :limit
               for update skip locked
            """;

    private static final String ADVANCE = """
            update orth_job j
               set next_fire_at = a.next, enabled = a.stop_reason is null, stop_reason = a.stop_reason,
                   version = case when a.stop_reason is null then j.version else j.version + 1 end
              from unnest(:ids, :claimed, :nexts, :reasons) as a(id, claimed, next, stop_reason)
             where j.id = a.id
               and j.id = any(:ids)
               and j.next_fire_at = a.claimed
            """;

    private static final String NEXT =
            "select next_fire_at from orth_job where next_fire_at is not null order by 1 limit 1";

    /** Where a claimed job goes: to its next instant, or to a stop with a reason. */
    public record Advance(int jobId, Instant claimed, Instant next, String stopReason) {

        public static Advance to(DueJob job, Instant next) {
            return new Advance(job.id(), job.dueAt(), next, null);
        }

        public static Advance stop(DueJob job, String reason) {
            return new Advance(job.id(), job.dueAt(), null, reason);
        }
    }

    private final JdbcClient jdbc;

    public DueJobs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Locks jobs due by {@code now}, the longest due first, skipping those another node is firing. */
    public List<DueJob> lock(Instant now, int limit) {
        return jdbc.sql(LOCK)
                .param("now", SqlRows.timestamp(now))
                .param("limit", limit)
                .query((row, n) -> new DueJob(
                        row.getInt("id"),
                        row.getString("name"),
                        row.getInt("group_id"),
                        row.getString("handler"),
                        row.getString("param"),
                        ScheduleColumns.read(row),
                        MisfirePolicy.valueOf(row.getString("misfire")),
                        Execution.read(row),
                        SqlRows.intOrNull(row, "source_version"),
                        SqlRows.instant(row, "next_fire_at")))
                .list();
    }

    /** Fails if one of the locked jobs was not as claimed: then nothing of the pass may stand. */
    public void advance(List<Advance> advances) {
        if (advances.isEmpty()) {
            return;
        }
        int advanced = jdbc.sql(ADVANCE)
                .param("ids", SqlArrays.integers(advances, Advance::jobId))
                .param("claimed", SqlArrays.instants(advances, Advance::claimed))
                .param("nexts", SqlArrays.instants(advances, Advance::next))
                .param("reasons", SqlArrays.texts(advances, Advance::stopReason))
                .update();
        if (advanced != advances.size()) {
            throw new IllegalStateException("%d of %d claimed jobs were changed while they were locked"
                    .formatted(advances.size() - advanced, advances.size()));
        }
    }

    /** The earliest instant at which any job is due. */
    public Optional<Instant> next() {
        return jdbc.sql(NEXT).query(Timestamp.class).optional().map(Timestamp::toInstant);
    }
}
