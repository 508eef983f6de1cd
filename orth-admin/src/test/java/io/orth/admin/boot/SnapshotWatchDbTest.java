package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.PublishedLines;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** How old the oldest snapshot is, and whose. */
@Tag("must-first")
class SnapshotWatchDbTest {

    private static final Duration WARN_AFTER = Duration.ofMinutes(10);

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PublishedLines systemLog = new PublishedLines();

    private SnapshotWatch watch(JdbcClient jdbc) {
        return new SnapshotWatch(jdbc, () -> clock.ticker().getAsLong(), meters, systemLog, WARN_AFTER);
    }

    @Test
    void oldSnapshotRaisesGaugeAndIsReportedOnce() throws SQLException {
        SnapshotWatch watch = watch(JdbcClient.create(db.dataSource()));
        watch.run();
        assertThat(oldest()).isZero();

        String session;
        try (Connection dump = session()) {
            session = "session %s (application \"nightly dump\", user \"%s\")"
                    .formatted(ask(dump, "select pg_backend_pid() /* secret */"), db.user());
            watch.run();
            assertThat(holder()).as("of a young snapshot").isEmpty();
            clock.advance(Duration.ofMinutes(9));
            watch.run();
            assertThat(oldest()).isBetween(540.0, 600.0);
            assertThat(holder()).isEqualTo(session);
            assertThat(systemLog.lines()).isEmpty();

            clock.advance(Duration.ofMinutes(1));
            watch.run();
            watch.run();

            assertThat(oldest()).isGreaterThanOrEqualTo(600);
            assertThat(systemLog.lines())
                    .containsExactly(
                            "WARN %s, idle in transaction has held a snapshot of the database for 600 s: claims get slower the longer it is held"
                                    .formatted(session));
            dump.rollback();
        }
        watch.run();

        assertThat(oldest()).isZero();
        assertThat(holder()).isEmpty();
        assertThat(systemLog.lines())
                .hasSize(2)
                .last()
                .isEqualTo("INFO %s, idle in transaction no longer holds an old snapshot of the database"
                        .formatted(session));
    }

    /** As a user that may not see what others do. */
    @Test
    void countsAgeWhenDatabaseDoesNotReportIt() throws SQLException {
        try (Connection dump = session();
                Connection other = DriverManager.getConnection(db.url(), db.user(), db.password())) {
            ask(dump, "select 1");
            try (Statement statement = other.createStatement()) {
                statement.execute("create role watcher_of_snapshots");
                statement.execute("set role watcher_of_snapshots");
            }
            try {
                SnapshotWatch watch = watch(JdbcClient.create(new SingleConnectionDataSource(other, true)));
                watch.run();
                clock.advance(Duration.ofMinutes(11));
                watch.run();

                assertThat(oldest()).isBetween(660.0, 700.0);
                assertThat(holder()).contains("nightly dump");
                assertThat(systemLog.lines()).singleElement().asString().contains("nightly dump", "state unknown");
            } finally {
                try (Statement statement = other.createStatement()) {
                    statement.execute("reset role");
                    statement.execute("drop role watcher_of_snapshots");
                }
            }
        }
    }

    private Connection session() throws SQLException {
        Connection connection = DriverManager.getConnection(db.url(), db.user(), db.password());
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setClientInfo("ApplicationName", "nightly dump");
        connection.setAutoCommit(false);
        return connection;
    }

    private double oldest() {
        return meters.get("orth.database.oldest.snapshot").gauge().value();
    }

    /** As named by the one series there is. */
    private String holder() {
        assertThat(meters.find("orth.database.oldest.snapshot").gauges()).hasSize(1);
        return meters.get("orth.database.oldest.snapshot").gauge().getId().getTag("holder");
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
