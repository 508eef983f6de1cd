package io.orth.admin.alarm;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Lifecycle;
import io.orth.admin.kernel.Move;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.StatusTable;
import io.orth.admin.run.RunAlarm;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the alarm status of finished runs. Callers own the transaction. */
final class RunAlarms {

    private static final int CHUNK = 1_000;

    /** Undecided failed runs, locked. The transaction that holds the lock of a run decides about its alarm. */
    private static final String UNDECIDED = """
            select r.id, r.job_id as jobId, r.group_id as groupId,
                   r.cause in ('KILLED', 'CALLED_OFF') or (select j.id from orth_job j where j.id = r.job_id) is null
                       as needless,
                   exists (select from orth_run_all n where n.retry_of = r.id and n.id > r.id) as retried
              from orth_run_history r
             where r.alarm_status = %d
               and r.status in ('FAILED', 'TIMEOUT', 'TRIGGER_FAILED')
             order by r.id
             limit :limit
               for update of r skip locked
            """.formatted(RunAlarm.UNDECIDED.code());

    private static final String HAS_PENDING = """
            exists (select
                      from orth_alarm_run o
                      join orth_alarm a on a.id = o.alarm_id
                     where o.run_id = r.id
                       and a.status = 'PENDING')
            """;

    /** Taken runs without a pending alarm, because their channel was deleted. */
    private static final String LEFT_BEHIND =
            """
            select r.id, case when exists (select from orth_alarm_run f where f.run_id = r.id) then %d else %d end as target
              from orth_run_history r
             where r.alarm_status = %d
               and not %s
             order by r.id
             limit :limit
               for update of r skip locked
            """.formatted(RunAlarm.FAILED.code(), RunAlarm.UNDECIDED.code(), RunAlarm.TAKEN.code(), HAS_PENDING);

    private static final String OF_ALARM = """
            select r.id, r.alarm_status
              from orth_alarm_run n
              join orth_run_history r on r.id = n.run_id
             where n.alarm_id = :alarm
               and n.run_id > :after
               and (:also or not %s)
             order by n.run_id
             limit :limit
               for update of r
            """.formatted(HAS_PENDING);

    private static final StatusTable<RunAlarmMove> MOVES = StatusTable.<RunAlarmMove>of("orth_run_history")
            .status(
                    "alarm_status",
                    moves -> SqlArrays.integers(moves, move -> move.from().code()),
                    moves -> SqlArrays.integers(moves, move -> move.to().code()))
            .unjournalled()
            .update();

    private record RunAlarmMove(long id, RunAlarm from, RunAlarm to) implements Move<RunAlarm> {

        @Override
        public RunAlarm reason() {
            return to;
        }
    }

    private final JdbcClient jdbc;
    private final Lifecycle<RunAlarm, RunAlarmMove> lifecycle;

    RunAlarms(JdbcClient jdbc) {
        this.jdbc = jdbc;
        this.lifecycle = new Lifecycle<>(EntityKind.RUN, moves -> MOVES.move(jdbc, moves), StateChanges.untold());
    }

    /** Claims undecided failed runs. */
    List<FailedRun> takeFailed(int limit) {
        List<FailedRun> failed =
                jdbc.sql(UNDECIDED).param("limit", limit).query(FailedRun.class).list();
        Set<Long> taken = move(failed.stream().map(FailedRun::id).toList(), RunAlarm.UNDECIDED, RunAlarm.TAKEN);
        return failed.stream().filter(run -> taken.contains(run.id())).toList();
    }

    /** Marks taken runs that need no alarm. */
    void notNeeded(Collection<Long> runs) {
        move(runs, RunAlarm.TAKEN, RunAlarm.NOT_NEEDED);
    }

    int free(int limit) {
        return lifecycle
                .moveAll(jdbc.sql(LEFT_BEHIND)
                        .param("limit", limit)
                        .query((row, n) ->
                                new RunAlarmMove(row.getLong("id"), RunAlarm.TAKEN, RunAlarm.of(row.getInt("target"))))
                        .list())
                .size();
    }

    /** Marks all runs of the alarm as reported: one notified channel is enough. */
    void sent(long alarm) {
        end(alarm, RunAlarm.SENT, true);
    }

    /** Marks the runs of the alarm that no pending alarm contains. */
    void failed(long alarm) {
        end(alarm, RunAlarm.FAILED, false);
    }

    private void end(long alarm, RunAlarm to, boolean also) {
        List<RunAlarmMove> named;
        long after = 0;
        do {
            named = jdbc.sql(OF_ALARM)
                    .param("alarm", alarm)
                    .param("after", after)
                    .param("also", also)
                    .param("limit", CHUNK)
                    .query((row, n) -> new RunAlarmMove(row.getLong("id"), RunAlarm.of(row.getInt("alarm_status")), to))
                    .list();
            lifecycle.moveAll(only(named, state -> state.next().contains(to)));
            lifecycle.correctAll(only(named, state -> state.corrections().contains(to)));
            after = named.isEmpty() ? after : named.get(named.size() - 1).id();
        } while (named.size() == CHUNK);
    }

    private static List<RunAlarmMove> only(List<RunAlarmMove> moves, Predicate<RunAlarm> from) {
        return moves.stream().filter(move -> from.test(move.from())).toList();
    }

    private Set<Long> move(Collection<Long> runs, RunAlarm from, RunAlarm to) {
        return lifecycle.moveAll(
                runs.stream().map(run -> new RunAlarmMove(run, from, to)).toList());
    }
}
