package io.orth.admin.pipeline;

import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChanges;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/** The SQL repositories of pipelines, for one database. */
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
        return jdbc.sql("select clock_timestamp()")
                .query(Timestamp.class)
                .single()
                .toInstant();
    }

    /**
     * Returns a list statement, optionally restricted to rows with certain meta entries.
     *
     * @param ofMeta finds rows with the meta entry {@code :name} = {@code :value} in list order and compares {@code :meta}
     */
    static StatementSpec list(JdbcClient jdbc, String all, String ofMeta, Map<String, String> meta) {
        return meta.entrySet().stream()
                .findFirst()
                .map(first -> jdbc.sql(ofMeta)
                        .param("name", first.getKey())
                        .param("value", first.getValue())
                        .param("meta", JsonText.of(meta)))
                .orElseGet(() -> jdbc.sql(all));
    }

    /** @param at the time of all transitions of this unit of work */
    TaskStep step(Instant at) {
        return new TaskStep(jdbc, journal, metrics, content, at);
    }
}
