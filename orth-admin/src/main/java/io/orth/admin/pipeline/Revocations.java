package io.orth.admin.pipeline;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of attempts that executors are to stop. */
final class Revocations {

    /** An executor that has not asked for so long is gone. */
    private static final Duration TOLD_FOR = Duration.ofMinutes(10);

    private static final int MOST = 1_000;

    private static final String ADD = """
            insert into orth_pipeline_revoked (log_id, executor_id, at)
            select w.log, w.executor, :at from unnest(:logs, :executors) as w(log, executor)
            on conflict (log_id) do nothing
            """;

    private static final String OF = """
            select log_id
              from orth_pipeline_revoked
             where executor_id = :executor
               and at > clock_timestamp() - :millis * interval '1 millisecond'
             order by at desc
             limit :limit
            """;

    private static final String PRUNE = """
            delete from orth_pipeline_revoked
             where log_id = any(array(select log_id
                                        from orth_pipeline_revoked
                                       where at < clock_timestamp() - :millis * interval '1 millisecond'
                                       order by at
                                       limit :limit))
            """;

    private final JdbcClient jdbc;

    Revocations(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** @param running tasks that executors have */
    void add(List<PipelineTask> running, Instant at) {
        if (running.isEmpty()) {
            return;
        }
        jdbc.sql(ADD)
                .param("at", SqlRows.timestamp(at))
                .param("logs", SqlArrays.bigints(running, PipelineTask::logId))
                .param("executors", SqlArrays.bigints(running, PipelineTask::executorId))
                .update();
    }

    List<Long> of(long executor) {
        return jdbc.sql(OF)
                .param("executor", executor)
                .param("millis", TOLD_FOR.toMillis())
                .param("limit", MOST)
                .query(Long.class)
                .list();
    }

    int prune(int limit) {
        return jdbc.sql(PRUNE)
                .param("millis", TOLD_FOR.toMillis())
                .param("limit", limit)
                .update();
    }
}
