package io.orth.admin.run;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Origin of a run, apart from its job.
 *
 * @param attempt number of the attempt; 1 unless the run is a retry
 * @param attempts attempts allowed when the run was created; null unless the run is a retry
 * @param retryOf the failed run this run retries, or null
 * @param parentRun the run whose success fired this run, or null
 * @param notBefore earliest time of dispatch; null for immediately
 */
public record Lineage(
        int attempt,
        Integer attempts,
        @JsonFormat(shape = JsonFormat.Shape.STRING) Long retryOf,
        @JsonFormat(shape = JsonFormat.Shape.STRING) Long parentRun,
        Instant notBefore) {

    /** Lineage of a run that follows no other. */
    public static final Lineage FIRST = new Lineage(1, null, null, null, null);

    static final String COLUMNS = "attempt, attempts, retry_of, parent_run, not_before";

    static Lineage read(ResultSet row) throws SQLException {
        return new Lineage(
                row.getInt("attempt"),
                SqlRows.intOrNull(row, "attempts"),
                SqlRows.longOrNull(row, "retry_of"),
                SqlRows.longOrNull(row, "parent_run"),
                SqlRows.instant(row, "not_before"));
    }
}
