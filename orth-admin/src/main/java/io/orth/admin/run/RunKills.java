package io.orth.admin.run;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/**
 * The wish to end runs. It is kept with each run, so that it outlives whoever had it, until the run is over: by the word of its
 * executor, or by ours where no executor has it. From the moment it is kept, the run is not sent to anyone any more.
 */
@Component
public class RunKills {

    /** Locks runs in the one order in which all do. */
    static final String LOCKED = """
            with locked as (
                select id from orth_run where id = any(:ids) order by id for update
            )
            """;

    /** The first wish stands; what is over is left alone. */
    private static final String REQUEST = LOCKED + """
            update orth_run
               set kill_requested_at = now(), kill_requested_by = :by, kill_reason = :reason,
                   kill_next_at = now() + make_interval(secs => :again)
             where id = any(array(select id from locked))
               and status in ('INIT', 'PENDING')
               and kill_requested_at is null
            """;

    private static final String CLAIM_DUE = """
            with due as (
                select id
                  from orth_run
                 where kill_next_at <= now()
                   and status in ('INIT', 'PENDING')
                 order by kill_next_at
                 limit :limit
                   for update skip locked
            )
            update orth_run
               set kill_next_at = now() + make_interval(secs => :again)
             where id = any(array(select id from due))
               and status in ('INIT', 'PENDING')
            returning
            """ + RunRepository.COLUMNS;

    private static final String OPEN_OF_JOB = """
            select id
              from orth_run
             where job_id = :job
               and status in ('INIT', 'PENDING')
             order by id + 0
             limit :limit
            """;

    private static final String LOCK = """
            select %s
              from orth_run
             where id = any(:ids)
               and kill_requested_at is not null
               and %s
             order by id
               for update
            """;

    private static final String LOCK_UNSENT =
            LOCK.formatted(RunRepository.COLUMNS, "status = 'INIT' and executor_id is null");

    /** Of unsent ones only those that nobody can be sending any more. */
    private static final String LOCK_UNKNOWN =
            LOCK.formatted(RunRepository.COLUMNS, "(status = 'PENDING' or (status = 'INIT' and claim_until < now()))");

    private static final String LOCK_OVERDUE =
            LOCK.formatted(RunRepository.COLUMNS, "status = 'INIT' and claim_until < now()");

    private static final String LOCK_TOLD_IN_VAIN = LOCK.formatted(RunRepository.COLUMNS, """
            status = 'PENDING'
               and kill_told_at <= now() - make_interval(secs => :grace)
               and kill_next_at < 'infinity'""");

    private static final String TOLD = "select id from orth_run where id = any(:ids) and kill_told_at is not null";

    /** Without {@code again} it is not seen to any more: its result ends it, or the verdict that it is lost. */
    private static final String MARK_TOLD = LOCKED + """
            update orth_run
               set kill_told_at = now(),
                   kill_next_at = coalesce(now() + make_interval(secs => :again), 'infinity')
             where id = any(array(select id from locked))
               and status = 'PENDING'
               and kill_requested_at is not null
            """;

    private static final String SET_SENT = LOCKED + """
            update orth_run
               set kill_sent_at = case when :sent then now() end
             where id = any(array(select id from locked))
               and kill_requested_at is not null
               and (kill_sent_at is not null) <> :sent
            returning id
            """;

    private final JdbcClient jdbc;
    private final RunLifecycle lifecycle;
    private final Transactions transactions;

    public RunKills(JdbcClient jdbc, StateChanges changes, Transactions transactions) {
        this.jdbc = jdbc;
        this.lifecycle = new RunLifecycle(jdbc, changes);
        this.transactions = transactions;
    }

    /** Those of a job that are not over, oldest first. */
    public List<Long> openOf(int jobId, int limit) {
        return jdbc.sql(OPEN_OF_JOB)
                .param("job", jobId)
                .param("limit", limit)
                .query(Long.class)
                .list();
    }

    /** Keeps the wish, to be seen to again after {@code again}. Whoever had it first keeps it; what is over stays as it is. */
    public void request(Collection<Long> runIds, String by, String reason, Duration again) {
        transactions.run(() -> of(REQUEST, runIds)
                .param("by", by)
                .param("reason", reason)
                .param("again", RunRepository.seconds(again))
                .update());
    }

    /** Takes runs that are to be ended and have not been seen to for a while. */
    public List<Run> claimDue(int limit, Duration again) {
        return transactions.call(() -> jdbc.sql(CLAIM_DUE)
                .param("limit", limit)
                .param("again", RunRepository.seconds(again))
                .query(RunRepository.TO_RUN)
                .list());
    }

    /** Ends those that no executor was ever meant to have. */
    public Set<Long> endUnsent(Collection<Long> runIds) {
        return transactions.call(() -> lifecycle.kill(runs(of(LOCK_UNSENT, runIds)), "before it was sent"));
    }

    /** Ends those that their executor does not have, {@code why} in words; not those that may be on their way to it. */
    public Set<Long> endUnknown(Collection<Long> runIds, String why) {
        return transactions.call(() -> lifecycle.kill(runs(of(LOCK_UNKNOWN, runIds)), why));
    }

    /** Whether the executor has them cannot be asked: their results are awaited, as long as it is not known to be gone. */
    public void await(Collection<Long> runIds, String why) {
        transactions.run(() -> lifecycle.accept(
                runs(of(LOCK_OVERDUE, runIds)).stream()
                        .map(run -> Acceptance.of(run, why))
                        .toList(),
                RunCause.UNCONFIRMED));
    }

    /**
     * Their executor is about to be sent the kill. From now on a success counts as killed: whether it was faster cannot be known
     * until {@link #notEnding} says so. Returns those of which this kill can say it: to the rest an earlier one was sent that may have
     * ended them.
     */
    public Set<Long> sending(Collection<Long> runIds) {
        return transactions.call(() -> setSent(runIds, true));
    }

    /** Their executor did not get the only kill, or was not running them when it did: a success stands. */
    public void notEnding(Collection<Long> runIds) {
        if (!runIds.isEmpty()) {
            transactions.run(() -> setSent(runIds, false));
        }
    }

    /** Those whose executor has been told already and must not be told again. */
    public Set<Long> told(Collection<Long> runIds) {
        return Set.copyOf(of(TOLD, runIds).query(Long.class).list());
    }

    /** Their executor was told once and for all, and is ending them: their results are awaited. */
    public void awaitResult(Collection<Long> runIds) {
        transactions.run(() -> markTold(runIds, null));
    }

    /**
     * Their executor was told and does not run them; a result that is on its way has {@code grace} to arrive. A success of those in
     * {@code notEnding} stands.
     */
    public void awaitResult(Collection<Long> runIds, Collection<Long> notEnding, Duration grace) {
        transactions.run(() -> {
            markTold(runIds, RunRepository.seconds(grace));
            setSent(notEnding, false);
        });
    }

    /** Ends those whose executor did not run them when it was told, {@code grace} ago or more. */
    public Set<Long> endToldInVain(Collection<Long> runIds, Duration grace, String why) {
        return transactions.call(() ->
                lifecycle.kill(runs(of(LOCK_TOLD_IN_VAIN, runIds).param("grace", RunRepository.seconds(grace))), why));
    }

    /** {@code again} is null where it is not to be seen to again. */
    private void markTold(Collection<Long> runIds, Double again) {
        of(MARK_TOLD, runIds).param("again", again, Types.DOUBLE).update();
    }

    /** Returns those for which it was not so before. */
    private Set<Long> setSent(Collection<Long> runIds, boolean sent) {
        return Set.copyOf(
                of(SET_SENT, runIds).param("sent", sent).query(Long.class).list());
    }

    private StatementSpec of(String statement, Collection<Long> runIds) {
        return jdbc.sql(statement).param("ids", SqlArrays.bigints(runIds, id -> id));
    }

    private static List<Run> runs(StatementSpec statement) {
        return statement.query(RunRepository.TO_RUN).list();
    }

    /** Reads the columns {@code kill_requested_at, kill_requested_by, kill_reason}; null where nobody wants it ended. */
    static Run.Kill read(ResultSet row) throws SQLException {
        Instant at = SqlRows.instant(row, "kill_requested_at");
        return at == null ? null : new Run.Kill(at, row.getString("kill_requested_by"), row.getString("kill_reason"));
    }
}
