package io.orth.admin.run;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL for runs that follow others: retries and children. */
final class FollowUpRepository {

    /** Template; the placeholder takes the select list and the source. {@code n} is a new run, {@code n.of} the run it retries. */
    private static final String INSERT = """
            insert into orth_run (id, job_id, job_name, group_id, handler, param, trigger_type, schedule_time, created_at,
                                  status, seq, status_at, cause, trigger_code, handle_code, claim_until, trace_id,
                                  block_strategy, block_scope, concurrency, timeout_seconds, glue_type, source_version,
                                  retry_of, attempt, attempts, not_before,
                                  route_strategy, addresses, shard_index, shard_total, root_run, fire_id, awaits_turn)
            select %s
             where not exists (select from orth_run_history over where over.retry_of = n.of and over.id > n.of)
            on conflict (retry_of) where retry_of is not null do nothing
            returning
            """ + RunRepository.COLUMNS;

    /**
     * Copies the run, including its shard, but not its executor. The retry keeps the turn of the run it retries, so no other fire runs in
     * between.
     */
    private static final String INSERT_RETRIES = INSERT.formatted("""
            n.id, r.job_id, r.job_name, r.group_id, r.handler, r.param, 'RETRY', r.schedule_time, now(),
                   'INIT', 1, now(), 'CREATED', 0, 0, now() + make_interval(secs => n.wait), r.trace_id,
                   r.block_strategy, r.block_scope, r.concurrency, r.timeout_seconds, r.glue_type, r.source_version,
                   r.id, r.attempt + 1, n.attempts, now() + make_interval(secs => n.wait),
                   r.route_strategy, r.addresses, r.shard_index, r.shard_total, coalesce(r.root_run, r.id),
                   coalesce(r.fire_id, r.id), r.awaits_turn
              from unnest(:ids, :of, :attempts, :waits) as n(id, of, attempts, wait)
             cross join lateral (select * from orth_run_history where id = n.of limit 1) r""");

    /** The run's row may already be deleted: the dead letter has its data, the job the current settings. */
    private static final String INSERT_RETRIES_OF_DEAD = INSERT.formatted("""
            n.id, d.job_id, j.name, j.group_id, j.handler, d.payload, 'RETRY', d.schedule_time, now(),
                   'INIT', 1, now(), 'CREATED', 0, 0, now(), d.trace_id,
                   j.block_strategy, j.block_scope, j.concurrency, j.timeout_seconds, j.glue_type, j.source_version,
                   d.id, d.attempt + 1, d.attempt + 1, now(),
                   j.route_strategy, j.addresses, d.shard_index, d.shard_total, d.root_run,
                   n.id, j.block_scope = 'CLUSTER' and j.block_strategy <> 'CONCURRENT'
              from unnest(:ids, :of) as n(id, of)
             cross join lateral (select * from orth_dead_letter where id = n.of and kind = 'RUN' limit 1) d
             cross join lateral (select * from orth_job where id = d.job_id limit 1) j""");

    /** Walks up to the first attempt, then down to the last one; reads as many rows as there are attempts. */
    private static final String ATTEMPTS = """
            with recursive up as (
                select id, retry_of from orth_run_all where id = :id
                union all
                select r.id, r.retry_of
                  from up cross join lateral (select id, retry_of from orth_run_all where id = up.retry_of offset 0) r
            ), down as (
                select id from up where retry_of is null
                union all
                select r.id from down cross join lateral (select id from orth_run_all where retry_of = down.id offset 0) r
            )
            select %s from orth_run_all where id = any(array(select id from down)) order by attempt
            """.formatted(RunRepository.COLUMNS);

    private static final String CHILDREN = "select " + RunRepository.COLUMNS + """
              from orth_run_all
             where parent_run = :id
             order by id + 0
            """;

    private static final String NEXT_UNSENT = """
            select claim_until
              from orth_run
             where status = 'INIT'
               and kill_requested_at is null
               and not awaits_turn
             order by claim_until
             limit 1
            """;

    private final JdbcClient jdbc;

    FollowUpRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the inserted retries; a run that already has a retry is skipped. */
    List<Run> insertRetries(List<NewRetry> retries, long[] ids) {
        return jdbc.sql(INSERT_RETRIES)
                .param("ids", RunRepository.idArray(ids))
                .param("of", SqlArrays.bigints(retries, NewRetry::of))
                .param("attempts", SqlArrays.integers(retries, NewRetry::attempts))
                .param("waits", SqlArrays.doubles(retries, retry -> RunRepository.seconds(retry.delay())))
                .query(RunRepository.TO_RUN)
                .list();
    }

    /** Like {@link #insertRetries}, for dead letters. */
    List<Run> insertRetriesOfDead(Collection<Long> runIds, long[] ids) {
        return jdbc.sql(INSERT_RETRIES_OF_DEAD)
                .param("ids", RunRepository.idArray(ids))
                .param("of", SqlArrays.bigints(runIds, id -> id))
                .query(RunRepository.TO_RUN)
                .list();
    }

    /** Returns all attempts at the same work, oldest first. */
    List<Run> attemptsOf(long id) {
        return jdbc.sql(ATTEMPTS).param("id", id).query(RunRepository.TO_RUN).list();
    }

    List<Run> childrenOf(long id) {
        return jdbc.sql(CHILDREN).param("id", id).query(RunRepository.TO_RUN).list();
    }

    /** Returns the time at which the next undispatched run may be claimed. */
    Optional<Instant> nextUnsent() {
        return jdbc.sql(NEXT_UNSENT)
                .query((row, n) -> SqlRows.instant(row, "claim_until"))
                .optional();
    }
}
