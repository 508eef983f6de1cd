package io.orth.admin.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** A result reported after the run was declared lost and its retry dispatched. It is stored beside the run, which stays failed. */
public record LateResult(
        @JsonProperty("handleCode") int code,
        @JsonProperty("handleMsg") String message,
        Instant at) {

    static final String COLUMNS = "late_code, late_msg, late_at";

    /** Returns null if there is none. */
    static LateResult read(ResultSet row) throws SQLException {
        Instant at = SqlRows.instant(row, "late_at");
        return at == null ? null : new LateResult(row.getInt("late_code"), row.getString("late_msg"), at);
    }
}
