package io.orth.admin.completion;

import io.orth.admin.deadletter.ErrorText;
import io.orth.admin.job.RetryPolicy;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.run.NewRetry;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Repeats failed runs as their jobs say now: who lowers the number of retries stops those still to come. Those that have none left are
 * dead letters.
 */
final class Retries {

    private static final String LEFT = """
            select r.id, r.attempt, j.retries, j.backoff_ms, j.backoff_cap_ms,
                   case when :texts or coalesce(j.retries, 0) < r.attempt then coalesce(r.handle_msg, r.trigger_msg) end as said
              from orth_run_history r
              left join lateral (select retries, backoff_ms, backoff_cap_ms from orth_job where id = r.job_id limit 1) j on true
             where r.id = any(:ids)
             order by r.id
            """;

    /** @param said what went wrong; null where it has retries left and nobody asked */
    private record Failed(long runId, int attempt, RetryPolicy policy, String said) {

        boolean hasRetriesLeft() {
            return policy.retries() >= attempt;
        }
    }

    private final JdbcClient jdbc;
    private final Runs runs;
    private final DeadRuns deadRuns;
    private final Duration lateGrace;

    Retries(JdbcClient jdbc, Runs runs, DeadRuns deadRuns, Duration lateGrace) {
        this.jdbc = jdbc;
        this.runs = runs;
        this.deadRuns = deadRuns;
        this.lateGrace = lateGrace;
    }

    List<Run> make(List<StateChange> failures) {
        if (failures.isEmpty()) {
            return List.of();
        }
        Set<Long> lost = failures.stream()
                .filter(change -> change.cause().equals(RunCause.LOST.name()))
                .map(change -> change.row().id())
                .collect(Collectors.toSet());
        List<Failed> failed =
                read(failures.stream().map(change -> change.row().id()).toList(), false);
        bury(failed.stream().filter(each -> !each.hasRetriesLeft()).toList());
        return runs.retry(failed.stream()
                .filter(Failed::hasRetriesLeft)
                .map(each -> retry(each, lost.contains(each.runId())))
                .toList());
    }

    /**
     * What was judged lost has said itself how it ended: after a success it is not dead any more, after a failure for that reason.
     */
    void correct(List<StateChange> corrections) {
        if (corrections.isEmpty()) {
            return;
        }
        Set<Long> wereDead = deadRuns.remove(
                corrections.stream().map(change -> change.row().id()).toList());
        List<Long> still = corrections.stream()
                .filter(change -> !change.to().equals(RunStatus.SUCCESS.name()))
                .map(change -> change.row().id())
                .filter(wereDead::contains)
                .toList();
        if (!still.isEmpty()) {
            bury(read(still, true));
        }
    }

    private void bury(List<Failed> failed) {
        deadRuns.bury(failed.stream()
                .map(each -> new DeadRuns.Dead(each.runId(), ErrorText.of(each.said())))
                .toList());
    }

    private NewRetry retry(Failed failed, boolean lost) {
        Duration wait = failed.policy().waitAfter(failed.attempt());
        Duration atLeast = lost ? lateGrace : Duration.ZERO;
        return new NewRetry(failed.runId(), failed.policy().attempts(), wait.compareTo(atLeast) < 0 ? atLeast : wait);
    }

    private List<Failed> read(List<Long> runIds, boolean texts) {
        return jdbc.sql(LEFT)
                .param("ids", SqlArrays.bigints(runIds, id -> id))
                .param("texts", texts)
                .query((row, n) -> new Failed(
                        row.getLong("id"),
                        row.getInt("attempt"),
                        new RetryPolicy(
                                row.getInt("retries"),
                                Duration.ofMillis(row.getLong("backoff_ms")),
                                Duration.ofMillis(row.getLong("backoff_cap_ms"))),
                        row.getString("said")))
                .list();
    }
}
