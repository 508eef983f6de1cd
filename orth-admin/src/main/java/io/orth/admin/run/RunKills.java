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
 * Kill requests. A request is stored with its run until the run is finished, by its executor's result, or by this class if no executor
 * has the run. Once the request is stored, the run is not dispatched any more.
 */
@Component
public class RunKills {

    /** Locks runs in id order, the lock order of all code. */
    static final String LOCKED = """
            with locked as (
                select id from orth_run where id = any(:ids) order by id for update
            )
            """;

    /** The first request counts; finished runs are not changed. */
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

    /** Undispatched runs qualify only if their claim has expired, so that no node is dispatching them. */
    private static final String LOCK_UNKNOWN =
            LOCK.formatted(RunRepository.COLUMNS, "(status = 'PENDING' or (status = 'INIT' and claim_until < now()))");

    private static final String LOCK_OVERDUE =
            LOCK.formatted(RunRepository.COLUMNS, "status = 'INIT' and claim_until < now()");

    private static final String LOCK_TOLD_IN_VAIN = LOCK.formatted(RunRepository.COLUMNS, """
            status = 'PENDING'
               and kill_told_at <= now() - make_interval(secs => :grace)
               and kill_next_at < 'infinity'""");

    private static final String TOLD = "select id from orth_run where id = any(:ids) and kill_told_at is not null";

    /** Without {@code :again} the run is not processed again: it ends by its result or by being declared lost. */
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

    /** Returns the unfinished runs of a job, oldest first. */
    public List<Long> openOf(int jobId, int limit) {
        return jdbc.sql(OPEN_OF_JOB)
                .param("job", jobId)
                .param("limit", limit)
                .query(Long.class)
                .list();
    }

    /** Stores a kill request, to be processed again after {@code again}. An earlier request is kept; finished runs are not changed. */
    public void request(Collection<Long> runIds, String by, String reason, Duration again) {
        transactions.run(() -> of(REQUEST, runIds)
                .param("by", by)
                .param("reason", reason)
                .param("again", RunRepository.seconds(again))
                .update());
    }

    /** Claims runs with a kill request that is due for processing. */
    public List<Run> claimDue(int limit, Duration again) {
        return transactions.call(() -> jdbc.sql(CLAIM_DUE)
                .param("limit", limit)
                .param("again", RunRepository.seconds(again))
                .query(RunRepository.TO_RUN)
                .list());
    }

    /** Ends runs for which no executor was ever chosen. */
    public Set<Long> endUnsent(Collection<Long> runIds) {
        return transactions.call(() -> lifecycle.kill(runs(of(LOCK_UNSENT, runIds)), "before it was sent"));
    }

    /**
     * Ends runs that their executor does not have, with {@code why} in the message. Runs that may be on their way to it are not ended.
     */
    public Set<Long> endUnknown(Collection<Long> runIds, String why) {
        return transactions.call(() -> lifecycle.kill(runs(of(LOCK_UNKNOWN, runIds)), why));
    }

    /** Marks runs as accepted whose executor cannot be queried. Their results are awaited unless the executor is known to be dead. */
    public void await(Collection<Long> runIds, String why) {
        transactions.run(() -> lifecycle.accept(
                runs(of(LOCK_OVERDUE, runIds)).stream()
                        .map(run -> Acceptance.of(run, why))
                        .toList(),
                RunCause.UNCONFIRMED));
    }

    /**
     * Records that the kill is about to be sent. From now on a success counts as killed, because it is unknown which came first, until
     * {@link #notEnding} clarifies it. Returns the runs for which this kill can clarify it: for the others an earlier kill was sent that
     * may have ended them.
     */
    public Set<Long> sending(Collection<Long> runIds) {
        return transactions.call(() -> setSent(runIds, true));
    }

    /** Records that the executor did not get the only kill, or was not running the runs when it did: a success stands. */
    public void notEnding(Collection<Long> runIds) {
        if (!runIds.isEmpty()) {
            transactions.run(() -> setSent(runIds, false));
        }
    }

    /** Returns the runs whose executor has already received the kill and must not receive it again. */
    public Set<Long> told(Collection<Long> runIds) {
        return Set.copyOf(of(TOLD, runIds).query(Long.class).list());
    }

    /** Records that the executor has received the kill and is ending the runs: their results are awaited. */
    public void awaitResult(Collection<Long> runIds) {
        transactions.run(() -> markTold(runIds, null));
    }

    /**
     * Records that the executor has received the kill and does not run the runs. A result on its way has {@code grace} to arrive. A
     * success of the runs in {@code notEnding} stands.
     */
    public void awaitResult(Collection<Long> runIds, Collection<Long> notEnding, Duration grace) {
        transactions.run(() -> {
            markTold(runIds, RunRepository.seconds(grace));
            setSent(notEnding, false);
        });
    }

    /** Ends runs that their executor did not run when it received the kill, {@code grace} ago or earlier. */
    public Set<Long> endToldInVain(Collection<Long> runIds, Duration grace, String why) {
        return transactions.call(() ->
                lifecycle.kill(runs(of(LOCK_TOLD_IN_VAIN, runIds).param("grace", RunRepository.seconds(grace))), why));
    }

    /** @param again null if the runs are not to be processed again */
    private void markTold(Collection<Long> runIds, Double again) {
        of(MARK_TOLD, runIds).param("again", again, Types.DOUBLE).update();
    }

    /** Returns the runs whose value changed. */
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

    /** Reads the columns {@code kill_requested_at, kill_requested_by, kill_reason}; returns null if no kill was requested. */
    static Run.Kill read(ResultSet row) throws SQLException {
        Instant at = SqlRows.instant(row, "kill_requested_at");
        return at == null ? null : new Run.Kill(at, row.getString("kill_requested_by"), row.getString("kill_reason"));
    }
}
