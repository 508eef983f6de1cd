package io.orth.admin.pipeline;

import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChanges;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The SQL of pipelines, over one database. */
@Component
final class PipelineTables {

    final PipelineRepository pipelines;
    final PipelineRunRepository runs;
    final RootRepository roots;
    final TaskRepository tasks;
    final OutboxRepository outbox;
    final ExecutionLog log;
    final ContentLog content;
    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final PipelineMetrics metrics;

    PipelineTables(JdbcClient jdbc, StateChanges journal, RunIdGenerator ids, PipelineMetrics metrics) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.metrics = metrics;
        this.pipelines = new PipelineRepository(jdbc);
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.roots = new RootRepository(jdbc);
        this.tasks = new TaskRepository(jdbc, ids);
        this.outbox = new OutboxRepository(jdbc, ids);
        this.log = new ExecutionLog(jdbc);
        this.content = new ContentLog(jdbc);
    }

    Instant now() {
        return jdbc.sql("select clock_timestamp() as at")
                .query((row, n) -> SqlRows.instant(row, "at"))
                .single();
    }

    /** @param at when all of it happens */
    TaskStep step(Instant at) {
        return new TaskStep(jdbc, journal, metrics, content, at);
    }
}
