package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmMove.Reason;
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

    /** The alarm of a channel that still collects failures, if any. */
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

    /** Notices have their own cooldown, so the window of the channel does not apply. */
    private static final String OPEN_NOTICES = """
            insert into orth_alarm (channel_id, send_at, about) values (:channel, now(), 'NOTICES') returning id, status_at
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
            select a.id, a.channel_id, c.name as channel_name, a.status, a.created_at, a.send_at, a.tries, a.ended_at, a.error,
                   (select count(*) from orth_alarm_run n where n.alarm_id = a.id) as runs,
                   (select min(n.run_id) from orth_alarm_run n where n.alarm_id = a.id) as first_run,
                   (select count(*) from orth_alarm_notice n where n.alarm_id = a.id) as notices,
                   (select count(*) from orth_alarm_pipeline_run n where n.alarm_id = a.id) as pipeline_run_count,
                   (select min(n.run_id) from orth_alarm_pipeline_run n where n.alarm_id = a.id)
                       as sample_pipeline_run_id
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

    /** An alarm claimed by this node for sending. {@code tries} is the number of this attempt. */
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

    RunAlarms runs() {
        return runs;
    }

    AlarmSubjects subjects() {
        return subjects;
    }

    /** Locks the channels that still exist, ordered by id, and returns their ids. */
    List<Integer> lockChannels(Collection<Integer> ids) {
        return jdbc.sql(LOCK_CHANNELS)
                .param("ids", SqlArrays.integers(ids, id -> id))
                .query(Integer.class)
                .list();
    }

    /** Adds runs to the collecting alarm of the channel. Callers have locked the channel. */
    void collect(int channel, Collection<Long> runs) {
        subjects.addRuns(collecting(channel), channel, runs);
    }

    /** Adds a pipeline run to the collecting alarm of the channel. Callers have locked the channel. */
    void collect(int channel, FailedPipelineRun run) {
        subjects.addPipelineRun(collecting(channel), run);
    }

    /** Returns the alarm of the channel that still collects failures, and creates one if there is none. */
    private long collecting(int channel) {
        return jdbc.sql(COLLECTING)
                .param("channel", channel)
                .query(Long.class)
                .optional()
                .orElseGet(() -> opened(jdbc.sql(OPEN).param("channel", channel)));
    }

    /** Creates an alarm for these notices. Callers have locked the channel. */
    void open(int channel, List<AlarmNotice> notices) {
        subjects.addNotices(opened(jdbc.sql(OPEN_NOTICES).param("channel", channel)), notices);
    }

    private long opened(StatementSpec insert) {
        MovedRow made = insert.query((row, n) ->
                        new MovedRow(row.getLong("id"), 1, null, SqlRows.instant(row, "status_at"), null, null, null))
                .single();
        lifecycle.created(List.of(made), AlarmStatus.PENDING, Reason.CREATED.name());
        return made.id();
    }

    List<Due> takeDue(int limit, Duration lease) {
        return jdbc.sql(TAKE_DUE)
                .param("limit", limit)
                .param("lease", (double) lease.toSeconds())
                .query(Due.class)
                .list();
    }

    void sent(Due alarm) {
        if (end(new AlarmMove(alarm.id(), alarm.tries(), AlarmStatus.SENT, Reason.SENT, null))) {
            runs.sent(alarm.id());
        }
    }

    void failedForGood(Due alarm, String error) {
        if (end(new AlarmMove(alarm.id(), alarm.tries(), AlarmStatus.FAILED, Reason.EXHAUSTED, error))) {
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
                .query(Alarm.class)
                .list();
    }

    int prune(Instant before, int limit) {
        return jdbc.sql(PRUNE)
                .param("before", SqlRows.timestamp(before))
                .param("limit", limit)
                .update();
    }
}
