package io.orth.admin.pipeline;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the execution log of pipeline runs. Callers own the transaction. */
final class ExecutionLog {

    static final String START = "start";
    static final String STEP = "step";
    static final String SUMMARY = "summary";
    static final String ERROR = "error";

    private static final String APPEND = """
            insert into orth_execution_log (root_id, task_id, phase, payload, created_at)
            select l.root, l.task, l.phase, l.payload::jsonb, :at
              from unnest(:roots, :tasks, :phases, :payloads) as l(root, task, phase, payload)
            """;

    /** @param task null if the line concerns the whole run */
    record Line(long root, Long task, String phase, String payload) {}

    private final JdbcClient jdbc;

    ExecutionLog(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** @param task null if the line concerns the whole run */
    void append(long root, Long task, String phase, String payload, Instant at) {
        append(List.of(new Line(root, task, phase, payload)), at);
    }

    void append(List<Line> lines, Instant at) {
        if (lines.isEmpty()) {
            return;
        }
        jdbc.sql(APPEND)
                .param("at", SqlRows.timestamp(at))
                .param("roots", SqlArrays.bigints(lines, Line::root))
                .param("tasks", SqlArrays.bigints(lines, Line::task))
                .param("phases", SqlArrays.texts(lines, Line::phase))
                .param("payloads", SqlArrays.texts(lines, Line::payload))
                .update();
    }
}
