package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.registry.Groups;
import io.orth.protocol.AdminPaths;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An admin all of whose connections are taken, as by a slow queue. */
@Tag("must-first")
class ReservedConnectionsDbTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @Test
    void essentialCallsWorkWhileSharedConnectionsAreTaken() throws SQLException {
        try (AdminServer.Running admin =
                AdminServer.start(db, "--orth.database.pool-size=4", "--orth.database.connect-timeout=500ms")) {
            Groups groups = admin.context().getBean(Groups.class);
            int group = groups.create("beats", "beats").id();
            String token = groups.token(group);
            JdbcClient jdbc = admin.context().getBean(JdbcClient.class);
            Deque<Connection> taken = takeAll(admin.context().getBean(DataSource.class));
            try {
                assertThatThrownBy(
                                () -> jdbc.sql("select 1").query(Integer.class).single())
                        .isInstanceOf(RuntimeException.class);

                SecuredClient.Answer first = beat(admin, token);
                SecuredClient.Answer second = beat(admin, token);
                ClusterLease lease =
                        new ClusterLease(jdbc, "some-duty", admin.context().getBean(Node.class), Duration.ofMinutes(1));

                assertThat(first.body()).contains("\"code\":200");
                assertThat(second.body()).contains("\"code\":200");
                assertThat(lease.hold()).isPresent();
                assertThat(List.of("", "/liveness", "/readiness"))
                        .allSatisfy(probe -> assertThat(admin.anonymous()
                                        .get("/actuator/health" + probe)
                                        .status())
                                .as(probe)
                                .isEqualTo(200));
                OffsetDateTime until = nodeLease(admin);
                await().atMost(LIMIT).until(() -> nodeLease(admin).isAfter(until));
                OffsetDateTime now = databaseTime(admin);
                await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> isClockReadSince(now, admin));
            } finally {
                for (Connection connection : taken) {
                    connection.close();
                }
            }
        }
    }

    /** Until none is to be had any more. */
    private static Deque<Connection> takeAll(DataSource database) {
        Deque<Connection> taken = new ArrayDeque<>();
        try {
            while (true) {
                taken.push(database.getConnection());
            }
        } catch (SQLException e) {
            return taken;
        }
    }

    private static SecuredClient.Answer beat(AdminServer.Running admin, String token) {
        return admin.executor(token).post(AdminPaths.REGISTRY, """
                        {"registryGroup":"EXECUTOR","registryKey":"beats","registryValue":"http://127.0.0.1:9",
                         "instance":{"id":"one","host":"h","pid":1,"version":"v","leftoversDelivered":true}}
                        """);
    }

    private static OffsetDateTime databaseTime(AdminServer.Running admin) {
        return admin.jdbc().sql("select now()").query(OffsetDateTime.class).single();
    }

    /** Lets the clock's loop read it, which is to be seen until its connection runs another statement. */
    private static boolean isClockReadSince(OffsetDateTime begin, AdminServer.Running admin) {
        admin.context().getBean(Loops.class).wake("database-clock");
        return admin.jdbc().sql("""
                        select exists (
                            select from pg_stat_activity
                             where datname = current_database()
                               and application_name = 'orth-admin'
                               and query = 'select clock_timestamp()'
                               and query_start > :begin)
                        """).param("begin", begin).query(Boolean.class).single();
    }

    private static OffsetDateTime nodeLease(AdminServer.Running admin) {
        return admin.jdbc()
                .sql("select max(expires_at) from orth_node where node_id = :node")
                .param("node", admin.context().getBean(Node.class).id())
                .query(OffsetDateTime.class)
                .single();
    }
}
