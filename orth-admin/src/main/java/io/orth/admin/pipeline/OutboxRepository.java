package io.orth.admin.pipeline;

import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the outbox. Callers own the transaction. */
final class OutboxRepository {

    /** Ignores an attempt that already has an unsent entry. */
    private static final String ADD = """
            insert into orth_outbox (id, kind, stage_id, root_id, job_id, attempt, destination, payload, trace_id, created_at,
                                     next_attempt_at)
            select w.id, :kind, :stageId, :root, w.job, w.attempt, :destination,
                   jsonb_build_object('taskId', w.job, 'attempt', w.attempt, 'rootJobId', :root, 'pipeline', :pipeline,
                                      'stage', :stage, 'handler', :handler, 'attemptsLeft', w.attempts_left),
                   :trace, :at, :at + w.delay * interval '1 millisecond'
              from unnest(:ids, :jobs, :attempts, :left, :delays) as w(id, job, attempt, attempts_left, delay)
            on conflict (job_id, attempt) where sent_at is null do nothing
            """;

    private static final String SELECT = """
            select o.id, o.kind, o.root_id, o.job_id, o.attempt, o.destination, o.payload, o.trace_id, o.created_at, o.next_attempt_at,
                   o.attempts, o.last_error, o.parked_at
              from orth_outbox o
            """;

    private static final String DUE_OF_STAGE = """
             where o.stage_id = s.id
               and o.kind = :kind
               and (:names::text[] is null or (o.destination = any(:names::text[])) = :among)
               and o.sent_at is null
               and o.parked_at is null
               and o.next_attempt_at <= clock_timestamp()
               and (o.lease_until is null or o.lease_until < clock_timestamp())
            """;

    /** Selects an equal share for each stage with due entries, so that a large stage does not delay others. Omits paused stages. */
    private static final String DUE = """
            with stages as materialized (
                select s.id
                  from orth_pipeline_stage s
                  left join orth_pipeline p on p.name = s.pipeline
                 where not s.paused
                   and not coalesce(p.paused, false)
                   and not (select paused from orth_pipeline_switch)
                   and exists (select from orth_outbox o
            %1$s)
                 order by random()
                 limit :limit
            )
            select o.*
              from stages s
             cross join lateral (%2$s%1$s
                                  order by o.next_attempt_at, o.id
                                  limit (select greatest(1, :limit / count(*)) from stages)
                                    for update skip locked) o
            """.formatted(DUE_OF_STAGE, SELECT);

    private static final String THESE = SELECT + """
             where o.id = any(:ids)
               and o.sent_at is null
               and o.parked_at is null
             order by o.id
               for update skip locked
            """;

    private static final String SENT = """
            update orth_outbox o
               set sent_at = clock_timestamp(), attempts = o.attempts + 1, message_id = w.message, last_error = null
              from unnest(:ids, :messages) as w(id, message)
             where o.id = w.id
            returning extract(epoch from o.sent_at - o.created_at)::float8 as seconds
            """;

    private static final String LEASE = """
            update orth_outbox
               set lease_owner = :owner, lease_until = clock_timestamp() + :millis * interval '1 millisecond', attempts = attempts + 1
             where id = any(:ids)
            """;

    /** Affects the entry only while this lease is held: a node whose lease has expired changes nothing. */
    private static final String SETTLE_LEASED = """
            update orth_outbox
               set sent_at = clock_timestamp(), lease_owner = null, lease_until = null, last_error = null
             where id = ?
               and lease_owner = ?
               and attempts = ?
               and sent_at is null
            returning extract(epoch from sent_at - created_at)::float8 as seconds
            """;

    private static final String FAIL = """
            update orth_outbox
               set attempts = attempts + :count, last_error = :error, lease_owner = null, lease_until = null,
                   next_attempt_at = clock_timestamp() + :millis * interval '1 millisecond',
                   parked_at = case when :park then clock_timestamp() end
             where id = :id
               and sent_at is null
               and (:owner::text is null or (lease_owner = :owner and attempts = :attempt))
            """;

    private static final String REDRIVE = """
            update orth_outbox
               set parked_at = null, attempts = 0, next_attempt_at = clock_timestamp()
             where id = any(:ids)
               and parked_at is not null
            """;

    /** Keeps entries of open tasks. */
    private static final String PRUNE = """
            delete from orth_outbox
             where id = any(array(select o.id
                                    from orth_outbox o
                                    left join orth_pipeline_task t on t.id = o.job_id
                                   where o.sent_at < clock_timestamp() - ? * interval '1 millisecond'
                                     and (t.id is null or not t.is_open)
                                   order by o.sent_at
                                   limit ?))
            """;

    private static final String FIGURES = """
            select (select count(*) from (select from orth_outbox where sent_at is null and parked_at is null limit :most) p) as pending,
                   (select count(*) from (select from orth_outbox where parked_at is not null limit :most) p) as parked,
                   greatest(0, (select extract(epoch from clock_timestamp() - min(o.first))
                      from orth_pipeline_stage s
                     cross join (values ('QUEUE'), ('WEBHOOK')) as k(kind)
                     cross join lateral (select next_attempt_at as first
                                           from orth_outbox
                                          where stage_id = s.id
                                            and kind = k.kind
                                            and sent_at is null
                                            and parked_at is null
                                          order by next_attempt_at, id
                                          limit 1) o))::float8 as oldest
            """;

    private static final RowMapper<OutboxEntry> ENTRY = (row, n) -> new OutboxEntry(
            row.getLong("id"),
            row.getString("kind"),
            row.getLong("root_id"),
            row.getLong("job_id"),
            row.getInt("attempt"),
            row.getString("destination"),
            row.getString("payload"),
            row.getString("trace_id"),
            SqlRows.instant(row, "created_at"),
            SqlRows.instant(row, "next_attempt_at"),
            row.getInt("attempts"),
            row.getString("last_error"),
            SqlRows.instant(row, "parked_at"));

    /**
     * A task that is to be sent.
     *
     * @param stage the index of the stage, from 0
     * @param attempt the task attempt that corresponds to the first attempt of the message
     * @param left the maximum number of attempts of the message
     * @param delay how long the entry waits before it is sent
     */
    record Wanted(long task, int stage, int stageId, int attempt, int left, Duration delay) {

        /** Returns an entry for the first attempt. */
        static Wanted first(NewTask task, PipelineRun run, int stage, int stageId) {
            return new Wanted(
                    task.id(), stage, stageId, 1, run.stages().get(stage).maxAttempts(), Duration.ZERO);
        }

        /** Returns an entry for the next attempt. */
        static Wanted next(PipelineTask task, int left, Duration delay) {
            return new Wanted(task.id(), task.stage(), task.stageId(), task.attempts() + 1, left, delay);
        }

        /** Returns an entry for the next attempt, with all attempts that the task has left. */
        static Wanted rest(PipelineTask task, Duration delay) {
            return next(task, task.maxAttempts() - task.attempts(), delay);
        }
    }

    /** @param oldest seconds since the earliest pending entry became due; 0 if there is none */
    record Figures(long pending, long parked, double oldest) {}

    private final JdbcClient jdbc;
    private final RunIdGenerator ids;

    OutboxRepository(JdbcClient jdbc, RunIdGenerator ids) {
        this.jdbc = jdbc;
        this.ids = ids;
    }

    /** Adds entries for attempts at tasks of a run. */
    void add(PipelineRun run, List<Wanted> wanted, Instant at) {
        wanted.stream()
                .collect(Collectors.groupingBy(Wanted::stage))
                .forEach((place, some) -> add(run, run.stages().get(place), some, at));
    }

    private void add(PipelineRun run, Stage stage, List<Wanted> wanted, Instant at) {
        long[] numbers = ids.next(wanted.size());
        jdbc.sql(ADD)
                .param("kind", stage.isForeign() ? "WEBHOOK" : "QUEUE")
                .param("stageId", wanted.get(0).stageId())
                .param("root", run.id())
                .param("destination", stage.destination())
                .param("pipeline", run.pipeline())
                .param("stage", stage.name())
                .param("handler", stage.handler())
                .param("trace", run.traceId())
                .param("at", SqlRows.timestamp(at))
                .param("ids", SqlArrays.bigints(LongStream.of(numbers).boxed().toList(), id -> id))
                .param("jobs", SqlArrays.bigints(wanted, Wanted::task))
                .param("attempts", SqlArrays.integers(wanted, Wanted::attempt))
                .param("left", SqlArrays.integers(wanted, Wanted::left))
                .param("delays", SqlArrays.bigints(wanted, one -> one.delay().toMillis()))
                .update();
    }

    /** Locks and returns due entries for queues. */
    List<OutboxEntry> lockForQueues(int limit) {
        return lockDue("QUEUE", null, true, limit);
    }

    /** Locks and returns due entries for the named webhooks or, if {@code among} is false, for all other webhooks. */
    List<OutboxEntry> lockForWebhooks(Collection<String> names, boolean among, int limit) {
        return lockDue("WEBHOOK", SqlArrays.texts(names, name -> name), among, limit);
    }

    private List<OutboxEntry> lockDue(String kind, Object names, boolean among, int limit) {
        return jdbc.sql(DUE)
                .param("kind", kind)
                .param("names", names)
                .param("among", among)
                .param("limit", limit)
                .query(ENTRY)
                .list();
    }

    List<OutboxEntry> lock(Collection<Long> entries) {
        return jdbc.sql(THESE)
                .param("ids", SqlArrays.bigints(entries, id -> id))
                .query(ENTRY)
                .list();
    }

    /** Marks the entries as sent and returns the time from creation to sending of each, in seconds. */
    List<Double> sent(Map<Long, Long> messages) {
        return jdbc.sql(SENT)
                .param("ids", SqlArrays.bigints(messages.keySet(), id -> id))
                .param("messages", SqlArrays.bigints(messages.values(), id -> id))
                .query(Double.class)
                .list();
    }

    void lease(Collection<OutboxEntry> entries, String owner, Duration time) {
        jdbc.sql(LEASE)
                .param("ids", SqlArrays.bigints(entries, OutboxEntry::id))
                .param("owner", owner)
                .param("millis", time.toMillis())
                .update();
    }

    /**
     * Marks the entry as sent and returns the time from creation to sending, in seconds; empty if this lease is no longer held.
     *
     * @param entry the entry as it was before it was leased, one attempt ago
     */
    Optional<Double> settle(OutboxEntry entry, String owner) {
        return jdbc.sql(SETTLE_LEASED)
                .params(entry.id(), owner, entry.attempts() + 1)
                .query(Double.class)
                .optional();
    }

    /** @param owner the node that holds the lease; null if entries of this kind are not leased */
    boolean fail(OutboxEntry entry, String owner, String error, Duration wait, boolean park) {
        return jdbc.sql(FAIL)
                        .param("id", entry.id())
                        .param("count", owner == null ? 1 : 0)
                        .param("owner", owner)
                        .param("attempt", entry.attempts() + 1)
                        .param("error", error)
                        .param("millis", wait.toMillis())
                        .param("park", park)
                        .update()
                > 0;
    }

    void redrive(Collection<Long> entries) {
        jdbc.sql(REDRIVE).param("ids", SqlArrays.bigints(entries, id -> id)).update();
    }

    int prune(Duration sentBefore, int limit) {
        return jdbc.sql(PRUNE).params(sentBefore.toMillis(), limit).update();
    }

    /** Deletes the unsent entries of these tasks. */
    void drop(Collection<Long> tasks) {
        jdbc.sql("delete from orth_outbox where job_id = any(:tasks) and sent_at is null")
                .param("tasks", SqlArrays.bigints(tasks, id -> id))
                .update();
    }

    /** Deletes the parked entries of a run that can no longer be reopened. */
    void dropParked(long root) {
        jdbc.sql("delete from orth_outbox where root_id = ? and parked_at is not null")
                .params(root)
                .update();
    }

    List<OutboxEntry> parked(Collection<Long> entries) {
        return jdbc.sql(SELECT + " where o.id = any(:ids) and o.parked_at is not null order by o.id")
                .param("ids", SqlArrays.bigints(entries, id -> id))
                .query(ENTRY)
                .list();
    }

    List<OutboxEntry> list(boolean parked, long after, int limit) {
        String which = parked ? "o.parked_at is not null" : "o.sent_at is null and o.parked_at is null";
        return jdbc.sql(SELECT + " where " + which + " and o.id > ? order by o.id limit ?")
                .params(after, limit)
                .query(ENTRY)
                .list();
    }

    /** @param most where counting stops */
    Figures figures(int most) {
        return jdbc.sql(FIGURES).param("most", most).query(Figures.class).single();
    }
}
