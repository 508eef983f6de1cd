package io.orth.admin.completion;

import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadLetterGroups;
import io.orth.admin.deadletter.DeadLetterOwner;
import io.orth.admin.deadletter.DeadRef;
import io.orth.admin.deadletter.ErrorText;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlValue;

/** Dead letters of failed runs without further retries, with all data needed to retry them. */
final class DeadRuns implements DeadLetterOwner {

    /** Maximum number of open runs of a job; beyond it, its dead letters are throttled. */
    static final int MOST_OPEN = 100;

    /** Reads the attempts one by one by key, from the last to the first, at most the latest 100. */
    private static final String BURY = """
            with buried as (
                insert into orth_dead_letter (kind, id, job_id, job_name, handler, schedule_time, shard_index, shard_total, root_run,
                                              status_at, attempt, max_attempts, pushed_at, executor_id, log_id, trace_id, size, failures,
                                              cause, error, stack, fingerprint, payload)
                select 'RUN', r.id, r.job_id, r.job_name, r.handler, r.schedule_time, r.shard_index, r.shard_total,
                       coalesce(r.root_run, r.id), coalesce(r.finished_at, now()), r.attempt, greatest(r.attempt, coalesce(r.attempts, 1)),
                       least(r.created_at, before.created_at), r.executor_id, case when r.executor_id is not null then r.id end, r.trace_id, octet_length(r.param),
                       coalesce(before.failures, '[]') || jsonb_build_array(jsonb_build_object(
                           'attempt', r.attempt, 'logId', r.id::text, 'executorId', r.executor_id::text, 'startedAt', r.triggered_at,
                           'endedAt', r.finished_at, 'code', case when r.handle_code = 0 then r.trigger_code else r.handle_code end,
                           'error', w.error)),
                       case when r.cause = 'LOST' then r.cause else r.status end, w.error, w.stack, w.fingerprint, r.param
                  from unnest(:ids, :errors, :stacks, :prints) as w(id, error, stack, fingerprint)
                 cross join lateral (select * from orth_run_history where id = w.id limit 1) r
                 cross join lateral (
                     with recursive up as (
                         select 0 as steps, r.retry_of, null::jsonb as failure, null::timestamptz as created_at
                         union all
                         select up.steps + 1, o.retry_of,
                                jsonb_build_object(
                                    'attempt', o.attempt, 'logId', o.id::text, 'executorId', o.executor_id::text,
                                    'startedAt', o.triggered_at, 'endedAt', o.finished_at,
                                    'code', case when o.handle_code = 0 then o.trigger_code else o.handle_code end,
                                    'error', coalesce(nullif(left(split_part(ltrim(coalesce(nullif(o.handle_msg, ''), o.trigger_msg)),
                                                                             chr(10), 1), 1000), ''), 'failed without saying why')),
                                o.created_at
                           from up
                          cross join lateral (select * from orth_run_history where id = up.retry_of limit 1) o
                          where up.retry_of is not null
                            and up.steps < 99)
                     select jsonb_agg(failure order by steps desc) as failures, min(created_at) as created_at
                       from up
                      where steps > 0) before
                 order by r.id
                on conflict (id) do nothing
                returning job_id, fingerprint, status_at
            ), %s
            select count(*) from buried
            """.formatted(DeadLetterGroups.noted(DeadKind.RUN, true, "buried"));

    private static final String REMOVE = """
            with gone as (
                delete from orth_dead_letter
                 where id = any(:ids)
                   and kind = 'RUN'
                returning id, job_id, fingerprint, status_at
            ), %s
            select id from gone
            """.formatted(DeadLetterGroups.noted(DeadKind.RUN, false, "gone"));

    /** A late result also locks the run before it searches for a retry. */
    private static final String LOCK_RUNS =
            "select id from orth_run_history where id = any(:ids) order by id for update";

    private static final String LOCK = """
            select d.id, d.job_id, exists (select from orth_job j where j.id = d.job_id) as has_job
              from orth_dead_letter d
             where d.id = any(:ids)
               and d.kind = 'RUN'
             order by d.id
               for update
            """;

    private static final String ROOM = """
            select j.id, coalesce((select name from orth_job where id = j.id), 'of ' || j.id) as name,
                   (select count(*) from (select from orth_run where job_id = j.id limit :most) open) as open
              from unnest(:jobs) as j(id)
            """;

    /** A failed run that will not be retried, and its error. */
    record Dead(long id, ErrorText text) {}

    private final JdbcClient jdbc;
    private final Runs runs;
    private final Transactions transactions;
    private final Consumer<List<Run>> made;

    /** @param made receives committed runs */
    DeadRuns(JdbcClient jdbc, Runs runs, Transactions transactions, Consumer<List<Run>> made) {
        this.jdbc = jdbc;
        this.runs = runs;
        this.transactions = transactions;
        this.made = made;
    }

    /** Creates dead letters in the transaction that finishes the runs. */
    void bury(List<Dead> dead) {
        if (dead.isEmpty()) {
            return;
        }
        jdbc.sql(BURY)
                .param("ids", SqlArrays.bigints(dead, Dead::id))
                .param("errors", SqlArrays.texts(dead, each -> each.text().error()))
                .param("stacks", SqlArrays.texts(dead, each -> each.text().stack()))
                .param("prints", SqlArrays.texts(dead, each -> each.text().fingerprint()))
                .query(Integer.class)
                .single();
    }

    /** Deletes dead letters. Returns the ids that existed. */
    Set<Long> remove(Collection<Long> ids) {
        return ids.isEmpty()
                ? Set.of()
                : new HashSet<>(jdbc.sql(REMOVE)
                        .param("ids", SqlArrays.bigints(ids, id -> id))
                        .query(Long.class)
                        .list());
    }

    @Override
    public DeadKind kind() {
        return DeadKind.RUN;
    }

    /** Creates one more attempt for each, with the job's current settings. Keeps dead letters of deleted jobs. */
    @Override
    public Outcome retry(List<DeadRef> letters) {
        return transactions.call(() -> {
            SqlValue ids = SqlArrays.bigints(letters, DeadRef::id);
            jdbc.sql(LOCK_RUNS).param("ids", ids).query(Long.class).list();
            Map<Long, String> orphans = new HashMap<>();
            Set<Long> others = new HashSet<>();
            jdbc.sql(LOCK).param("ids", ids).query(row -> {
                if (row.getBoolean("has_job")) {
                    others.add(row.getLong("id"));
                } else {
                    orphans.put(row.getLong("id"), "job %d was deleted".formatted(row.getInt("job_id")));
                }
            });
            List<Run> again = runs.retryDead(others);
            remove(others);
            if (!again.isEmpty()) {
                Transactions.afterCommit(() -> made.accept(again));
            }
            return new Outcome(again.size(), orphans);
        });
    }

    @Override
    public Outcome discard(List<DeadRef> letters) {
        return Outcome.of(transactions
                .call(() -> remove(letters.stream().map(DeadRef::id).toList()))
                .size());
    }

    @Override
    public Map<Integer, Room> room(Collection<Integer> jobs) {
        return SqlRows.byId(
                jdbc.sql(ROOM).param("jobs", SqlArrays.integers(jobs, id -> id)).param("most", MOST_OPEN),
                Integer.class,
                (row, n) -> new Room(MOST_OPEN - row.getInt("open"), "job " + row.getString("name")));
    }
}
