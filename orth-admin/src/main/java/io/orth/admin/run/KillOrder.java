package io.orth.admin.run;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * That an operator wants a run ended.
 *
 * @param sent whether its executor has been sent the kill and did not say that it was not running the run
 */
record KillOrder(Run.Kill kill, boolean sent) {

    /** Reads the columns of {@link RunKills#read} and {@code kill_sent}; null if no operator wants the run ended. */
    static KillOrder read(ResultSet row) throws SQLException {
        Run.Kill kill = RunKills.read(row);
        return kill == null ? null : new KillOrder(kill, row.getBoolean("kill_sent"));
    }
}
