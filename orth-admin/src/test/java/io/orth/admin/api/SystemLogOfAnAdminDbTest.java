package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** System log of an admin that started and stopped. */
class SystemLogOfAnAdminDbTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private JdbcClient jdbc;

    private List<String> lines() {
        return jdbc.sql("select message from orth_system_log order by at, id")
                .query(String.class)
                .list();
    }

    @Test
    @Tag("must-queues")
    void adminLogsStartAndStop() {
        jdbc = JdbcClient.create(db.dataSource());
        AdminServer.Running admin = AdminServer.start(db);
        String node = admin.api().get("/api/system").json().path("node").asString();
        await().atMost(SOON).until(() -> !lines().isEmpty());

        admin.close();

        assertThat(lines().get(0)).startsWith("admin %s starts, version ".formatted(node));
        assertThat(lines()).contains("admin %s stops".formatted(node));
    }
}
