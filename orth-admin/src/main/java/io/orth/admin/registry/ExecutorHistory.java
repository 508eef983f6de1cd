package io.orth.admin.registry;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Executor metrics of the last day. Once a minute one node samples all online executors in one statement. */
@Component
public class ExecutorHistory {

    private static final int MOST_SAMPLES = 2_000;

    private static final String SAMPLE = """
            insert into orth_executor_sample (executor_id, at, %1$s)
            select id, date_trunc('minute', now()), %1$s
              from orth_executor
             where not orth_is_gone(status)
               and cpu is not null
            on conflict do nothing
            """.formatted(Metrics.COLUMNS);

    private static final String PRUNE = """
            delete from orth_executor_sample
             where ctid = any(array(select ctid
                                      from orth_executor_sample
                                     where at < now() - make_interval(secs => :age)
                                     limit :limit))
            """;

    private static final String OF = """
            select at, %s
              from orth_executor_sample
             where executor_id = :executor
             order by at desc
             limit :limit
            """.formatted(Metrics.COLUMNS);

    private final JdbcClient jdbc;
    private final ExecutorRepository executors;

    public ExecutorHistory(JdbcClient jdbc) {
        this.jdbc = jdbc;
        this.executors = new ExecutorRepository(jdbc);
    }

    /** Returns the samples of an executor, newest first. */
    public List<ExecutorSample> of(String instanceId) {
        Target executor =
                executors.target(instanceId).orElseThrow(() -> OrthException.notFound("executor", instanceId));
        return jdbc.sql(OF)
                .params(Map.of("executor", executor.executorId(), "limit", MOST_SAMPLES))
                .query((row, n) -> new ExecutorSample(SqlRows.instant(row, "at"), Metrics.of(row)))
                .list();
    }

    /** Stores the current metrics of all online executors. A second call within the same minute has no effect. */
    int sample() {
        return jdbc.sql(SAMPLE).update();
    }

    int prune(Duration age, int limit) {
        return jdbc.sql(PRUNE)
                .params(Map.of("age", age.toMillis() / 1000.0, "limit", limit))
                .update();
    }
}
