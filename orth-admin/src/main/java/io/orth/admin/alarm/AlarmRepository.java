package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.StatusTable;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/** SQL of alarms. */
@Component
final class AlarmRepository {

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
            returning id, status_at
            """;

    /** These have waited long enough where they come from: no window holds them up. */
    private static final String OPEN_NOTICES = """
            insert into orth_alarm (channel_id, send_at, about) values (:channel, now(), 'NOTICES') returning id, status_at
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

    private static final StatusTable<AlarmMove> ENDS = StatusTable.<AlarmMove>of("orth_alarm")
            .column("tried", moves -> SqlArrays.integers(moves, AlarmMove::tries))
            .column("why", moves -> SqlArrays.texts(moves, AlarmMove::error))
            .onlyIf("t.tries = w.tried")
            .set("ended_at = now(), lease_until = null, error = w.why")
            .update();

    private static final String TRY_AGAIN = """
            update orth_alarm
               set send_at = now() + make_interval(secs => :wait), lease_until = null, error = :error
             where id = :alarm
               and status = 'PENDING'
               and tries = :tries
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
    private final RunAlarms runs;
    private final Lifecycle<AlarmStatus, AlarmMove> lifecycle;

    AlarmRepository(JdbcClient jdbc, StateChanges changes) {
        this.jdbc = jdbc;
        this.subjects = new AlarmSubjects(jdbc);
        this.runs = new RunAlarms(jdbc);
        this.lifecycle = new Lifecycle<>(EntityKind.ALARM, moves -> ENDS.move(jdbc, moves), changes);
    }

    /** Where the runs that alarms name stand. */
    RunAlarms runs() {
        return runs;
    }

    /** What alarms are about beside runs of jobs. */
    AlarmSubjects subjects() {
        return subjects;
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
                .orElseGet(() -> opened(jdbc.sql(OPEN).param("channel", channel)));
    }

    /** Callers have locked the channel. */
    void open(int channel, List<AlarmNotice> notices) {
        subjects.add(opened(jdbc.sql(OPEN_NOTICES).param("channel", channel)), notices);
    }

    private long opened(StatementSpec insert) {
        MovedRow made = insert.query((row, n) ->
                        new MovedRow(row.getLong("id"), 1, null, SqlRows.instant(row, "status_at"), null, null, null))
                .single();
        lifecycle.created(List.of(made), AlarmStatus.PENDING, AlarmMove.Reason.CREATED.name());
        return made.id();
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
        if (end(AlarmMove.sent(alarm))) {
            runs.sent(alarm.id());
        }
    }

    void failedForGood(Due alarm, String error) {
        if (end(AlarmMove.exhausted(alarm, error))) {
            runs.failed(alarm.id());
        }
    }

    private boolean end(AlarmMove move) {
        return !lifecycle.moveAll(List.of(move)).isEmpty();
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
