package io.orth.admin.run;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Where a run comes from, beside its job.
 *
 * @param attempt 1 for what is no retry
 * @param attempts how many there were to be when it was made; null for what is no retry
 * @param retryOf the failed run it repeats, or null
 * @param parentRun the run whose success fired it, or null
 * @param notBefore it is not sent before this instant; null for at once
 */
public record Lineage(
        int attempt,
        Integer attempts,
        @JsonFormat(shape = JsonFormat.Shape.STRING) Long retryOf,
        @JsonFormat(shape = JsonFormat.Shape.STRING) Long parentRun,
        Instant notBefore) {

    /** Of a run that follows no other. */
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
