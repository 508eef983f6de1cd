package io.orth.admin.completion;

import io.orth.admin.deadletter.ErrorText;
import io.orth.admin.job.AfterRun;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.NewRetry;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunListener;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.Runs;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Retries failed runs by the job's current settings: lowering {@code maxAttempts} prevents further retries. A run without a further
 * attempt becomes a dead letter.
 */
public final class Retries implements RunListener {

    private static final Set<RunStatus> FAILURES =
            Set.of(RunStatus.FAILED, RunStatus.TIMEOUT, RunStatus.TRIGGER_FAILED);

    /** The run was ended on purpose, or it was declared lost before and retried then. */
    private static final Set<RunCause> NOT_RETRIED = Set.of(RunCause.KILLED, RunCause.CALLED_OFF, RunCause.LATE_RESULT);

    /** The settings of a deleted job are null. */
    private static final String POLICIES = """
            select r.id, r.attempt, r.non_retryable, r.retry_after_ms, j.*
              from orth_run_history r
              left join lateral (select max_attempts, backoff_initial_ms, backoff_multiplier, backoff_max_ms, backoff_jitter
                                   from orth_job
                                  where id = r.job_id
                                  limit 1) j on true
             where r.id = any(:ids)
             order by r.id
            """;

    private static final String ERRORS = """
            select id, coalesce(handle_msg, trigger_msg) as error
              from orth_run_history
             where id = any(:ids)
             order by id
            """;

    private record Failed(long runId, int maxAttempts, RetryDecision decision) {}

    private final JdbcClient jdbc;
    private final Runs runs;
    private final DeadRuns deadRuns;
    private final Duration lostRetryDelay;
    private final Consumer<List<Run>> made;

    /** @param made receives committed retries */
    Retries(JdbcClient jdbc, Runs runs, DeadRuns deadRuns, Duration lostRetryDelay, Consumer<List<Run>> made) {
        this.jdbc = jdbc;
        this.runs = runs;
        this.deadRuns = deadRuns;
        this.lostRetryDelay = lostRetryDelay;
        this.made = made;
    }

    @Override
    public void changed(List<StateChange> changes) {
        List<Run> retries = make(changes.stream().filter(Retries::isToBeRetried).toList());
        correct(changes.stream().filter(Retries::isLateResult).toList());
        if (!retries.isEmpty()) {
            Transactions.afterCommit(() -> made.accept(retries));
        }
    }

    private static boolean isToBeRetried(StateChange change) {
        return FAILURES.contains(RunStatus.valueOf(change.to()))
                && !NOT_RETRIED.contains(RunCause.valueOf(change.cause()));
    }

    private static boolean isLateResult(StateChange change) {
        return RunCause.LATE_RESULT.name().equals(change.cause());
    }

    private List<Run> make(List<StateChange> failures) {
        if (failures.isEmpty()) {
            return List.of();
        }
        Set<Long> lost = failures.stream()
                .filter(change -> change.cause().equals(RunCause.LOST.name()))
                .map(change -> change.row().id())
                .collect(Collectors.toSet());
        List<Failed> failed = jdbc.sql(POLICIES)
                .param("ids", SqlArrays.bigints(RunListener.ids(failures), id -> id))
                .query((row, n) -> decided(row, lost.contains(row.getLong("id"))))
                .list();
        bury(failed.stream()
                .filter(each -> !each.decision().isRetry())
                .map(Failed::runId)
                .toList());
        return runs.retry(failed.stream()
                .filter(each -> each.decision().isRetry())
                .map(each -> new NewRetry(
                        each.runId(), each.maxAttempts(), each.decision().delay()))
                .toList());
    }

    /**
     * Corrects dead letters of runs that were declared lost and reported a late result: a success removes the dead letter, a failure
     * replaces its error.
     */
    private void correct(List<StateChange> corrections) {
        if (corrections.isEmpty()) {
            return;
        }
        Set<Long> wereDead = deadRuns.remove(RunListener.ids(corrections));
        bury(corrections.stream()
                .filter(change -> !change.to().equals(RunStatus.SUCCESS.name()))
                .map(change -> change.row().id())
                .filter(wereDead::contains)
                .toList());
    }

    private void bury(List<Long> runIds) {
        if (runIds.isEmpty()) {
            return;
        }
        deadRuns.bury(jdbc.sql(ERRORS)
                .param("ids", SqlArrays.bigints(runIds, id -> id))
                .query((row, n) -> new DeadRuns.Dead(row.getLong("id"), ErrorText.of(row.getString("error"))))
                .list());
    }

    private Failed decided(ResultSet row, boolean lost) throws SQLException {
        Integer maxAttempts = SqlRows.intOrNull(row, "max_attempts");
        RetryPolicy policy =
                maxAttempts == null ? AfterRun.NO_RETRIES : new RetryPolicy(maxAttempts, SqlRows.backoff(row));
        int attempt = row.getInt("attempt");
        Long requested = SqlRows.longOrNull(row, "retry_after_ms");
        RetryDecision decision = lost
                ? RetryDecision.afterLoss(policy, attempt, lostRetryDelay)
                : RetryDecision.next(
                        policy,
                        attempt,
                        requested == null ? null : Duration.ofMillis(requested),
                        row.getBoolean("non_retryable"));
        return new Failed(row.getLong("id"), policy.maxAttempts(), decision);
    }
}
