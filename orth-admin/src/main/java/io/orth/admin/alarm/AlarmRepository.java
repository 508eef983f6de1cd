package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of alarms and of the alarm status of runs. */
final class AlarmRepository {

    /** The optimistic lock: who moves a run from 0 has it. */
    private static final String TAKE_FAILED = """
            with failed as (
                select id
                  from orth_run_history
                 where alarm_status = 0
                   and status in ('FAILED', 'TIMEOUT', 'TRIGGER_FAILED')
                 order by id
                 limit :limit
                   for update skip locked
            )
            update orth_run_history r
               set alarm_status = -1
             where r.id = any(array(select id from failed))
               and r.alarm_status = 0
            returning r.id, r.job_id, r.group_id,
                      r.cause in ('KILLED', 'CALLED_OFF') or not exists (select from orth_job j where j.id = r.job_id)
                          as needless,
                      exists (select from orth_run_all n where n.retry_of = r.id and n.id > r.id) as retried
            """;

    private static final String SET_STATUS = """
            with locked as (
                select id from orth_run_history where id = any(:runs) order by id for update
            )
            update orth_run_history r set alarm_status = :status from locked l where r.id = l.id and r.alarm_status = -1
            """;

    /** A taken run that no open alarm names: its channel was deleted. */
    private static final String FREE = """
            update orth_run_history r
               set alarm_status = case when exists (select from orth_alarm_run f where f.run_id = r.id) then 3 else 0 end
             where r.id = any(array(select t.id
                                      from orth_run_history t
                                     where t.alarm_status = -1
                                       and not exists (select
                                                         from orth_alarm_run n
                                                         join orth_alarm a on a.id = n.alarm_id
                                                        where n.run_id = t.id
                                                          and a.status = 'PENDING')
                                     limit :limit
                                       for update skip locked))
               and r.alarm_status = -1
            """;

    private static final String LOCK_CHANNELS =
            "select id from orth_alarm_channel where id = any(:ids) order by id for update";

    /** The alarm that still collects, if there is one. */
    private static final String COLLECTING = """
            select id
              from orth_alarm
             where channel_id = :channel
               and status = 'PENDING'
               and tries = 0
               and lease_until is null
               and about = 'RUNS'
             order by id desc
             limit 1
               for update
            """;

    private static final String OPEN = """
            with turn as (
                update orth_alarm_channel
                   set last_alarm_at = greatest(now(), last_alarm_at + make_interval(secs => window_seconds))
                 where id = :channel
                returning last_alarm_at
            )
            insert into orth_alarm (channel_id, send_at)
            select :channel, last_alarm_at from turn
            returning id
            """;

    private static final String NAME_RUNS = """
            insert into orth_alarm_run (alarm_id, channel_id, run_id)
            select :alarm, :channel, r from unnest(:runs) r
            on conflict (run_id, channel_id) do nothing
            """;

    private static final String TAKE_DUE = """
            with due as (
                select id
                  from orth_alarm
                 where status = 'PENDING'
                   and send_at <= now()
                   and (lease_until is null or lease_until < now())
                 order by send_at
                 limit :limit
                   for update skip locked
            )
            update orth_alarm
               set lease_until = now() + make_interval(secs => :lease), tries = tries + 1
             where id = any(array(select id from due))
               and status = 'PENDING'
            returning id, channel_id, tries
            """;

    private static final String TOLD = """
            select r.id, r.job_id, r.job_name, g.name as group_name, r.status, r.trigger_code, r.handle_code, r.attempt,
                   coalesce(r.handle_msg, r.trigger_msg, '') as message, r.finished_at
              from orth_alarm_run n
              join orth_run_history r on r.id = n.run_id
              left join orth_executor_group g on g.id = r.group_id
             where n.alarm_id = :alarm
             order by n.run_id
             limit :limit
            """;

    private static final String END = """
            update orth_alarm
               set status = :status, ended_at = now(), lease_until = null, error = :error
             where id = :alarm
               and status = 'PENDING'
               and tries = :tries
            """;

    private static final String TRY_AGAIN = """
            update orth_alarm
               set send_at = now() + make_interval(secs => :wait), lease_until = null, error = :error
             where id = :alarm
               and status = 'PENDING'
               and tries = :tries
            """;

    /** Whoever was told by one channel was told. */
    private static final String RUNS_SENT = """
            with locked as (
                select r.id
                  from orth_alarm_run n
                  join orth_run_history r on r.id = n.run_id
                 where n.alarm_id = :alarm
                 order by r.id
                   for update of r
            )
            update orth_run_history r set alarm_status = 2 from locked l where r.id = l.id and r.alarm_status in (-1, 3)
            """;

    private static final String RUNS_FAILED = """
            with locked as (
                select r.id
                  from orth_alarm_run n
                  join orth_run_history r on r.id = n.run_id
                 where n.alarm_id = :alarm
                   and not exists (select
                                     from orth_alarm_run o
                                     join orth_alarm a on a.id = o.alarm_id
                                    where o.run_id = n.run_id
                                      and a.status = 'PENDING')
                 order by r.id
                   for update of r
            )
            update orth_run_history r set alarm_status = 3 from locked l where r.id = l.id and r.alarm_status = -1
            """;

    private static final String LIST = """
            select a.id, a.channel_id, c.name, a.status, a.created_at, a.send_at, a.tries, a.ended_at, a.error,
                   (select count(*) from orth_alarm_run n where n.alarm_id = a.id) as runs,
                   (select min(n.run_id) from orth_alarm_run n where n.alarm_id = a.id) as first_run,
                   (select count(*) from orth_alarm_notice n where n.alarm_id = a.id) as notices,
                   (select count(*) from orth_alarm_pipeline_run n where n.alarm_id = a.id) as pipeline_runs,
                   (select min(n.run_id) from orth_alarm_pipeline_run n where n.alarm_id = a.id) as first_pipeline_run
              from orth_alarm a
              join orth_alarm_channel c on c.id = a.channel_id
             where a.id < :before
             order by a.id desc
             limit :limit
            """;

    private static final String PRUNE = """
            delete from orth_alarm
             where id = any(array(select id
                                    from orth_alarm
                                   where ended_at < :before
                                   order by ended_at
                                   limit :limit
                                     for update skip locked))
            """;

    /** An alarm that this node is to send; {@code tries} is the number of this try. */
    record Due(long id, int channelId, int tries) {}

    private final JdbcClient jdbc;
    private final AlarmSubjects subjects;

    AlarmRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
        this.subjects = new AlarmSubjects(jdbc);
    }

    /** What alarms are about beside runs of jobs. */
    AlarmSubjects subjects() {
        return subjects;
    }

    List<FailedRun> takeFailed(int limit) {
        return jdbc.sql(TAKE_FAILED)
                .param("limit", limit)
                .query((row, n) -> new FailedRun(
                        row.getLong("id"),
                        row.getInt("job_id"),
                        row.getInt("group_id"),
                        row.getBoolean("needless"),
                        row.getBoolean("retried")))
                .list();
    }

    /** Of runs that are taken. */
    void setStatus(Collection<Long> runs, int status) {
        jdbc.sql(SET_STATUS)
                .param("runs", SqlArrays.bigints(runs, id -> id))
                .param("status", status)
                .update();
    }

    int free(int limit) {
        return jdbc.sql(FREE).param("limit", limit).update();
    }

    /** Returns those that there still are. */
    List<Integer> lockChannels(Collection<Integer> ids) {
        return jdbc.sql(LOCK_CHANNELS)
                .param("ids", SqlArrays.integers(ids, id -> id))
                .query(Integer.class)
                .list();
    }

    /** Callers have locked the channel. */
    void collect(int channel, Collection<Long> runs) {
        jdbc.sql(NAME_RUNS)
                .param("alarm", collecting(channel))
                .param("channel", channel)
                .param("runs", SqlArrays.bigints(runs, id -> id))
                .update();
    }

    /** Callers have locked the channel. */
    void collect(int channel, FailedPipelineRun run) {
        subjects.add(collecting(channel), run);
    }

    /** The alarm of the channel that is still to be sent, a new one where there is none. */
    private long collecting(int channel) {
        return jdbc.sql(COLLECTING)
                .param("channel", channel)
                .query(Long.class)
                .optional()
                .orElseGet(() -> jdbc.sql(OPEN)
                        .param("channel", channel)
                        .query(Long.class)
                        .single());
    }

    List<Due> takeDue(int limit, Duration lease) {
        return jdbc.sql(TAKE_DUE)
                .param("limit", limit)
                .param("lease", (double) lease.toSeconds())
                .query((row, n) -> new Due(row.getLong("id"), row.getInt("channel_id"), row.getInt("tries")))
                .list();
    }

    long countRuns(long alarm) {
        return jdbc.sql("select count(*) from orth_alarm_run where alarm_id = :alarm")
                .param("alarm", alarm)
                .query(Long.class)
                .single();
    }

    /** {@code console} is where links lead to; empty for none. */
    List<Told> told(long alarm, int limit, String console) {
        return jdbc.sql(TOLD)
                .param("alarm", alarm)
                .param("limit", limit)
                .query((row, n) -> new Told(
                        row.getLong("id"),
                        row.getInt("job_id"),
                        row.getString("job_name"),
                        row.getString("group_name") == null ? "" : row.getString("group_name"),
                        row.getString("status"),
                        row.getInt("trigger_code"),
                        row.getInt("handle_code"),
                        row.getInt("attempt"),
                        row.getString("message"),
                        SqlRows.instant(row, "finished_at"),
                        console.isEmpty() ? null : "%s/runs/%d".formatted(console, row.getLong("id"))))
                .list();
    }

    void sent(Due alarm) {
        if (end(alarm, AlarmStatus.SENT, null)) {
            jdbc.sql(RUNS_SENT).param("alarm", alarm.id()).update();
        }
    }

    void failedForGood(Due alarm, String error) {
        if (end(alarm, AlarmStatus.FAILED, error)) {
            jdbc.sql(RUNS_FAILED).param("alarm", alarm.id()).update();
        }
    }

    private boolean end(Due alarm, AlarmStatus status, String error) {
        return jdbc.sql(END)
                        .param("alarm", alarm.id())
                        .param("tries", alarm.tries())
                        .param("status", status.name())
                        .param("error", error)
                        .update()
                == 1;
    }

    void tryAgain(Due alarm, Duration wait, String error) {
        jdbc.sql(TRY_AGAIN)
                .param("alarm", alarm.id())
                .param("tries", alarm.tries())
                .param("wait", wait.toMillis() / 1000.0)
                .param("error", error)
                .update();
    }

    List<Alarm> list(long before, int limit) {
        return jdbc.sql(LIST)
                .param("before", before)
                .param("limit", limit)
                .query((row, n) -> new Alarm(
                        row.getLong("id"),
                        row.getInt("channel_id"),
                        row.getString("name"),
                        AlarmStatus.valueOf(row.getString("status")),
                        SqlRows.instant(row, "created_at"),
                        SqlRows.instant(row, "send_at"),
                        row.getInt("tries"),
                        row.getLong("runs"),
                        SqlRows.longOrNull(row, "first_run"),
                        row.getLong("notices"),
                        row.getLong("pipeline_runs"),
                        SqlRows.longOrNull(row, "first_pipeline_run"),
                        SqlRows.instant(row, "ended_at"),
                        row.getString("error")))
                .list();
    }

    int prune(Instant before, int limit) {
        return jdbc.sql(PRUNE)
                .param("before", SqlRows.timestamp(before))
                .param("limit", limit)
                .update();
    }
}
