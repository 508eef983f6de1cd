package io.orth.admin.job;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the ledger. */
final class DecisionRepository {

    /** The newest stretch of a job and reason grows where the next one follows soon; else a new one begins. */
    private static final String RECORD = """
            with wanted as (
                select *
                  from unnest(:jobs, :reasons, :firsts, :lasts, :fires, :mores)
                    as w(job_id, reason, first_at, last_at, fires, more)
            ), newest as (
                select w.*, d.id, d.last_at as reached
                  from wanted w
                  left join lateral (select id, last_at
                                       from orth_decision
                                      where job_id = w.job_id
                                        and reason = w.reason
                                      order by id desc
                                      limit 1) d on true
            ), grown as (
                update orth_decision d
                   set first_at = least(d.first_at, n.first_at), last_at = greatest(d.last_at, n.last_at), fires = d.fires + n.fires, more = d.more or n.more
                  from newest n
                 where d.id = n.id
                   and n.reached >= n.first_at - make_interval(secs => :apart)
                returning d.id
            )
            insert into orth_decision (job_id, reason, first_at, last_at, fires, more)
            select n.job_id, n.reason, n.first_at, n.last_at, n.fires, n.more
              from newest n
             where n.id is null
                or n.id not in (select id from grown)
            """;

    private static final String OPEN = """
            insert into orth_decision (job_id, reason, first_at)
            values (:job, :reason, :first)
            on conflict (job_id) where last_at is null do nothing
            """;

    private static final String FIND_OPEN =
            "select reason, first_at as first from orth_decision where job_id = :job and last_at is null";

    private static final String CLOSE = """
            update orth_decision
               set last_at = :last, fires = :fires, more = :more
             where job_id = :job
               and last_at is null
            """;

    private static final String DROP_OPEN = "delete from orth_decision where job_id = :job and last_at is null";

    private static final String LIST = """
            select d.id, d.job_id, j.name as job_name, d.reason, d.first_at as first, d.last_at as last, d.fires,
                   d.more, d.decided_at
              from orth_decision d
              join orth_job j on j.id = d.job_id
             where %s
             order by d.id desc
             limit :limit
            """;

    private static final String PRUNE = """
            delete from orth_decision
             where id = any(array(select id
                                    from orth_decision
                                   where last_at < :before
                                   order by last_at
                                   limit :limit
                                     for update skip locked))
            """;

    /** A stretch that goes on. */
    record Open(DecisionReason reason, Instant first) {}

    private final JdbcClient jdbc;

    DecisionRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** {@code leftOut} has each job and reason once; the jobs' rows are locked by the caller. */
    void record(List<LeftOut> leftOut, Duration apart) {
        jdbc.sql(RECORD)
                .param("jobs", SqlArrays.integers(leftOut, LeftOut::jobId))
                .param("reasons", SqlArrays.texts(leftOut, one -> one.reason().name()))
                .param(
                        "firsts",
                        SqlArrays.instants(leftOut, one -> one.stretch().first()))
                .param("lasts", SqlArrays.instants(leftOut, one -> one.stretch().last()))
                .param("fires", SqlArrays.integers(leftOut, one -> one.stretch().fires()))
                .param("mores", SqlArrays.booleans(leftOut, one -> one.stretch().more()))
                .param("apart", (double) apart.toSeconds())
                .update();
    }

    void open(int jobId, DecisionReason reason, Instant first) {
        jdbc.sql(OPEN)
                .params(Map.of("job", jobId, "reason", reason.name(), "first", SqlRows.timestamp(first)))
                .update();
    }

    Optional<Open> findOpen(int jobId) {
        return jdbc.sql(FIND_OPEN).param("job", jobId).query(Open.class).optional();
    }

    void close(int jobId, Stretch stretch) {
        jdbc.sql(CLOSE)
                .params(Map.of("job", jobId, "last", SqlRows.timestamp(stretch.last()), "more", stretch.more()))
                .param("fires", stretch.fires(), Types.INTEGER)
                .update();
    }

    void dropOpen(int jobId) {
        jdbc.sql(DROP_OPEN).param("job", jobId).update();
    }

    /** Only the conditions that are given are in the statement, so that each combination gets its own plan. */
    List<Decision> list(DecisionFilter filter) {
        Map<String, Object> params = new HashMap<>();
        List<String> conditions = new ArrayList<>(List.of("d.id < :before"));
        params.put("before", filter.before());
        params.put("limit", filter.limit());
        if (filter.jobId() != null) {
            conditions.add("d.job_id = :job");
            params.put("job", filter.jobId());
        }
        if (filter.reason() != null) {
            conditions.add("d.reason = :reason");
            params.put("reason", filter.reason().name());
        }
        if (filter.from() != null) {
            conditions.add("(d.last_at >= :from or d.last_at is null)");
            params.put("from", SqlRows.timestamp(filter.from()));
        }
        if (filter.to() != null) {
            conditions.add("d.first_at <= :to");
            params.put("to", SqlRows.timestamp(filter.to()));
        }
        return jdbc.sql(LIST.formatted(String.join(" and ", conditions)))
                .params(params)
                .query(Decision.class)
                .list();
    }

    int prune(Instant before, int limit) {
        return jdbc.sql(PRUNE)
                .params(Map.of("before", SqlRows.timestamp(before), "limit", limit))
                .update();
    }
}
