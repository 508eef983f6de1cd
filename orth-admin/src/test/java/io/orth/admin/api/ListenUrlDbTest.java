package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.SilentProxy;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.Node;
import io.orth.testkit.PgBouncer;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An admin behind PgBouncer in transaction mode, with a URL of its own for notifications. */
@Tag("must-kernel")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ListenUrlDbTest {

    /** A lease that a node looks for every 10 minutes, unless it hears that another node has released it. */
    private static final String LEASE = "history-keeper";

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int SESSIONS = 8;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @Test
    void listensInOneSessionOnTheDirectUrlAndIsWokenByIt() throws Exception {
        assumeThat(PgBouncer.program()).as("-Dorth.pgbouncer").isPresent();
        ClusterLease other = new ClusterLease(
                JdbcClient.create(db.dataSource()),
                LEASE,
                new Node("other:1:x", "other", 1, "test"),
                LIMIT.multipliedBy(10));
        assertThat(other.hold()).isPresent();
        try (PgBouncer pooler = PgBouncer.before(db.url(), db.user(), db.password(), SESSIONS);
                SilentProxy direct = SilentProxy.to(db.url());
                AdminServer.Running admin = AdminServer.startOn(
                        db,
                        pooler.url(),
                        "--orth.database.pooler=true",
                        "--orth.database.listen-url=" + direct.url())) {
            await().atMost(LIMIT).until(() -> sessions(direct.ports()) == 1);
            assertThat(holder()).isEqualTo("other:1:x");

            String node = admin.context().getBean(Node.class).id();
            await().atMost(LIMIT).pollInterval(Duration.ofSeconds(1)).until(() -> {
                if (holder().equals(node)) {
                    return true;
                }
                // Once more, should the session not have listened yet.
                other.hold();
                other.release();
                return false;
            });

            assertThat(sessions(direct.ports())).isEqualTo(1);
            assertThat(direct.ports()).as("connections on the direct URL").hasSize(1);
        }
    }

    private int sessions(List<Integer> clientPorts) {
        return JdbcClient.create(db.dataSource())
                .sql(
                        "select count(*) from pg_stat_activity where application_name = 'orth-admin' and client_port = any(:ports)")
                .param("ports", clientPorts.toArray(Integer[]::new))
                .query(Integer.class)
                .single();
    }

    private String holder() {
        return JdbcClient.create(db.dataSource())
                .sql("select holder from orth_lease where duty = :duty")
                .param("duty", LEASE)
                .query(String.class)
                .single();
    }
}
