package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Notifications between nodes through the database. They are hints only: nodes poll as well. */
public final class Signals implements Duty {

    private static final int LISTEN_MILLIS = 1_000;

    /** A connection that only listens does not notice that the server has disappeared, so it is checked. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    private static final int CHECK_TIMEOUT_SECONDS = 5;

    private final DataSource database;
    private final Ticker ticker;
    private final Map<String, Consumer<String>> channels = new ConcurrentHashMap<>();
    /** Accessed by the loop's thread only. */
    private Connection connection;
    /** Accessed by the loop's thread only. */
    private long checkedNanos;

    public Signals(DataSource database, Ticker ticker) {
        this.database = database;
        this.ticker = ticker;
    }

    /**
     * Registers a consumer of a channel's payloads; call before the loop starts. The channel name consists of letters and underscores.
     */
    public Signals on(String channel, Consumer<String> heard) {
        channels.put(channel, heard);
        return this;
    }

    @Override
    public Pass run() throws SQLException {
        try {
            PGNotification[] heard = listening().unwrap(PGConnection.class).getNotifications(LISTEN_MILLIS);
            for (PGNotification signal : heard) {
                channels.get(signal.getName()).accept(signal.getParameter());
            }
            check();
            return Pass.MORE;
        } catch (SQLException e) {
            ended();
            throw e;
        }
    }

    private void check() throws SQLException {
        if (ticker.nanos() - checkedNanos < CHECK_INTERVAL.toNanos()) {
            return;
        }
        if (!connection.isValid(CHECK_TIMEOUT_SECONDS)) {
            throw new SQLException("the database did not answer on the listening connection");
        }
        checkedNanos = ticker.nanos();
    }

    private Connection listening() throws SQLException {
        if (connection == null) {
            connection = database.getConnection();
            checkedNanos = ticker.nanos();
            try (Statement statement = connection.createStatement()) {
                for (String channel : channels.keySet()) {
                    statement.execute("listen " + channel);
                }
            }
        }
        return connection;
    }

    /** Stops listening before the connection returns to the pool. */
    @Override
    public void ended() {
        if (connection == null) {
            return;
        }
        Connection last = connection;
        connection = null;
        try (Connection done = last;
                Statement statement = done.createStatement()) {
            statement.execute("unlisten *");
        } catch (SQLException e) {
            // The pool discards a broken connection.
        }
    }
}
