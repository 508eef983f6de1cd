package io.orth.admin.completion;

import io.orth.admin.job.RetryPolicy;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.run.NewRetry;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Repeats failed runs as their jobs say now: who lowers the number of retries stops those still to come. */
final class Retries {

    private static final String LEFT = """
            select r.id, r.attempt, j.retries, j.backoff_ms, j.backoff_cap_ms
              from orth_run_history r
             cross join lateral (select retries, backoff_ms, backoff_cap_ms from orth_job where id = r.job_id limit 1) j
             where r.id = any(:ids)
               and j.retries >= r.attempt
             order by r.id
            """;

    private record Failed(long runId, int attempt, RetryPolicy policy) {}

    private final JdbcClient jdbc;
    private final Runs runs;
    private final Duration lateGrace;

    Retries(JdbcClient jdbc, Runs runs, Duration lateGrace) {
        this.jdbc = jdbc;
        this.runs = runs;
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
        return runs.retry(withRetriesLeft(failures).stream()
                .map(failed -> retry(failed, lost.contains(failed.runId())))
                .toList());
    }

    private NewRetry retry(Failed failed, boolean lost) {
        Duration wait = failed.policy().waitAfter(failed.attempt());
        Duration atLeast = lost ? lateGrace : Duration.ZERO;
        return new NewRetry(failed.runId(), failed.policy().attempts(), wait.compareTo(atLeast) < 0 ? atLeast : wait);
    }

    private List<Failed> withRetriesLeft(List<StateChange> failures) {
        return jdbc.sql(LEFT)
                .param("ids", SqlArrays.bigints(failures, change -> change.row().id()))
                .query((row, n) -> new Failed(
                        row.getLong("id"),
                        row.getInt("attempt"),
                        new RetryPolicy(
                                row.getInt("retries"),
                                Duration.ofMillis(row.getLong("backoff_ms")),
                                Duration.ofMillis(row.getLong("backoff_cap_ms")))))
                .list();
    }
}
