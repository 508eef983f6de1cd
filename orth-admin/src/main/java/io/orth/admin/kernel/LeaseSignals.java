package io.orth.admin.kernel;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears of leases that their holders let go, and wakes the duties concerned. It is a hint only: where it is not heard, as behind
 * some poolers, duties find the free lease when they next look.
 */
public final class LeaseSignals implements Duty {

    static final String CHANNEL = "orth_lease";

    private static final int LISTEN_MILLIS = 1_000;

    private final DataSource database;
    private final Consumer<String> wake;
    /** Touched by the loop's thread only. */
    private Connection connection;

    /** @param wake gets the name of the duty whose lease is free */
    public LeaseSignals(DataSource database, Consumer<String> wake) {
        this.database = database;
        this.wake = wake;
    }

    @Override
    public Pass run() throws SQLException {
        try {
            PGNotification[] heard = listening().unwrap(PGConnection.class).getNotifications(LISTEN_MILLIS);
            for (PGNotification signal : heard) {
                wake.accept(signal.getParameter());
            }
            return Pass.MORE;
        } catch (SQLException e) {
            ended();
            throw e;
        }
    }

    private Connection listening() throws SQLException {
        if (connection == null) {
            connection = database.getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("listen " + CHANNEL);
            }
        }
        return connection;
    }

    /** What goes back to the pool must not listen any more. */
    @Override
    public void ended() {
        if (connection == null) {
            return;
        }
        try (Connection done = connection;
                Statement statement = done.createStatement()) {
            connection = null;
            statement.execute("unlisten *");
        } catch (SQLException e) {
            // The pool throws a broken connection away.
        }
    }
}
