package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Health responses to load balancers and supervisors while the database is unreachable. */
@Tag("must-first")
class ReadinessDbTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @Test
    void anAdminIsAliveButNotReadyWhileItsDatabaseIsAway() throws SQLException {
        try (AdminServer.Running admin = AdminServer.start(db)) {
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(statusOf(admin, "readiness")).isEqualTo(200));

            letConnect(false);

            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(statusOf(admin, "readiness")).isEqualTo(503));
            assertThat(statusOf(admin, "liveness")).isEqualTo(200);

            letConnect(true);

            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(statusOf(admin, "readiness")).isEqualTo(200));
        }
    }

    @Test
    void requestsRetryWhileDatabaseIsUnreachable() throws SQLException {
        try (AdminServer.Running admin = AdminServer.start(db, "--orth.database.connect-timeout=500ms")) {
            assertThat(admin.api().get("/api/jobs").status()).isEqualTo(200);

            letConnect(false);

            assertThat(List.of(
                            admin.api().get("/api/jobs"),
                            admin.api().post("/api/queues/mail/messages", "{\"payload\":{}}")))
                    .allSatisfy(answer -> {
                        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
                        assertThat(answer.header("Retry-After")).isEqualTo("5");
                        assertThat(answer.code()).isEqualTo("UNAVAILABLE");
                    });
        }
    }

    private static int statusOf(AdminServer.Running admin, String probe) {
        return admin.anonymous().get("/actuator/health/" + probe).status();
    }

    /** Without, those that are connected are disconnected. */
    private void letConnect(boolean allowed) throws SQLException {
        int name = db.url().lastIndexOf('/') + 1;
        String database = db.url().substring(name).replaceAll("\\?.*", "");
        try (Connection connection = DriverManager.getConnection(
                        db.url().substring(0, name) + "postgres", db.user(), db.password());
                Statement statement = connection.createStatement()) {
            statement.execute("alter database %s allow_connections %s".formatted(database, allowed));
            if (!allowed) {
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = '%s'"
                        .formatted(database));
            }
        }
    }
}
