package io.orth.admin.registry;

import io.orth.protocol.WorkerMetrics;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** Columns of executor metrics, the same in every table that has them. */
final class Metrics {

    /** Column names in SQL, in table order. */
    static final String COLUMNS =
            "cpu, rss_mb, heap_used_mb, heap_total_mb, running, queued, leaked_threads, process_cpu";

    private Metrics() {}

    /** Sets the parameters {@code :cpu} and so on; all are null if {@code metrics} is null. */
    static StatementSpec set(StatementSpec statement, WorkerMetrics metrics) {
        return statement
                .param("cpu", from(metrics, WorkerMetrics::cpu))
                .param("rss", from(metrics, m -> m.ram().rss()))
                .param("heapUsed", from(metrics, m -> m.ram().heapUsed()))
                .param("heapTotal", from(metrics, m -> m.ram().heapTotal()))
                .param("running", from(metrics, WorkerMetrics::running))
                .param("queued", from(metrics, WorkerMetrics::queued))
                .param("leakedThreads", from(metrics, WorkerMetrics::leakedThreads))
                .param("processCpu", from(metrics, m -> m.processCpu() < 0 ? null : m.processCpu()));
    }

    private static <T> T from(WorkerMetrics metrics, Function<WorkerMetrics, T> value) {
        return metrics == null ? null : value.apply(metrics);
    }

    /** Returns the metrics of a row; null if the executor reported none. */
    static WorkerMetrics of(ResultSet row) throws SQLException {
        double cpu = row.getDouble("cpu");
        return row.wasNull()
                ? null
                : new WorkerMetrics(
                        cpu,
                        new WorkerMetrics.Ram(
                                row.getLong("rss_mb"), row.getLong("heap_used_mb"), row.getLong("heap_total_mb")),
                        row.getInt("running"),
                        row.getInt("queued"),
                        row.getInt("leaked_threads"),
                        processCpu(row));
    }

    private static double processCpu(ResultSet row) throws SQLException {
        double share = row.getDouble("process_cpu");
        return row.wasNull() ? WorkerMetrics.UNKNOWN : share;
    }
}
