package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.testkit.FreePort;
import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Starts an admin process on a database that fails meanwhile. */
@Tag("must-first")
@Timeout(300)
class AdminStartE2eTest {

    /** Sessions of the admin that wait for the table locked by the test. */
    private static final String WAITING = """
            select count(*)
              from pg_stat_activity
             where datname = current_database() and application_name = 'orth-admin' and wait_event_type = 'Lock'
            """;

    private static final String TERMINATE = """
            select count(pg_terminate_backend(pid))
              from pg_stat_activity
             where datname = current_database() and application_name = 'orth-admin'
            """;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    void startsAgainWhenItsConnectionsAreLostDuringTheStart() throws Exception {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(db, directory)) {
            cluster.addAdmin(java).awaitReady().close();
            AdminProgram admin;
            try (Connection blocking = DriverManager.getConnection(db.url(), db.user(), db.password());
                    Statement lock = blocking.createStatement()) {
                blocking.setAutoCommit(false);
                lock.execute("lock table orth.flyway_schema_history in access exclusive mode");
                admin = cluster.addAdmin(java);
                await().atMost(Duration.ofSeconds(90)).until(() -> cluster.count(WAITING) > 0);

                assertThat(cluster.count(TERMINATE)).isPositive();
            }

            admin.awaitReady();

            assertThat(admin.program().output()).contains("lost the database while starting; starting again");
        }
    }

    @Test
    void endsWhenTheDatabaseCannotBeReached() throws Exception {
        Database nowhere = new Database(
                "jdbc:postgresql://127.0.0.1:%d/orth".formatted(FreePort.find()), db.user(), db.password());
        List<String> settings = List.of("orth.database.connect-timeout=1s");

        try (Cluster cluster = new Cluster(nowhere, directory, settings)) {
            AdminProgram admin = cluster.addAdmin(Installation.javas().get(0));

            assertThat(admin.program().exitCode(Duration.ofSeconds(90))).isEqualTo(1);
            assertThat(admin.program().output())
                    .contains("cannot use the database")
                    .doesNotContain("starting again");
        }
    }
}
