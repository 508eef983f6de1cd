package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.kernel.Node;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.WorkRequest;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** An admin on a copy of a database whose executors are still there. */
@Tag("must-first")
class CopiedDatabaseDbTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String JOB = """
            {"name":"close-day","groupId":"%s","handler":"h","enabled":true,"misfire":"FIRE_ONCE",
             "schedule":{"type":"FIXED_RATE","interval":"PT1S"}}
            """;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance-1");
    private final String copy = "copy_" + UUID.randomUUID().toString().replace("-", "");
    private String token;

    @AfterEach
    void dropTheCopy() throws SQLException {
        executor.close();
        onServer("drop database if exists %s with (force)".formatted(copy));
    }

    @Test
    void copyStaysPausedAndLeavesExecutorsOfOriginalAlone() throws SQLException {
        JsonNode original = runTheOriginal();
        onServer("create database %s template %s".formatted(copy, name()));
        int sent = executor.received().size();

        try (AdminServer.Running admin = AdminServer.startOn(db, urlOf(copy))) {
            assertPausedAsACopyOf(original, admin);
            Answer pushed = admin.api().post("/api/queues/emails/messages", "{\"payload\":\"hello\"}");
            assertThat(pushed.status()).isEqualTo(201);
            long runs = count(admin, "orth_run");
            awaitRenewals(admin, 2);
            assertThat(count(admin, "orth_run")).as("no schedule has fired").isEqualTo(runs);
            assertThat(claim(admin)).as("no message is given out").doesNotContain("hello");
            assertThat(executor.received()).hasSize(sent);

            Answer resumed = admin.api().post("/api/installation/resume", null);

            assertThat(resumed.status()).isEqualTo(200);
            assertThat(resumed.json().path("paused").asBoolean()).isFalse();
            await().atMost(LIMIT).until(() -> count(admin, "orth_run") > runs);
            assertThat(admin.anonymous().get("/actuator/health").body()).contains("UP");
            assertThat(admin.api().get("/api/audit").body()).contains("/api/installation/resume");
            assertThat(executor.received()).as("sent by the original only").hasSize(sent);
            assertThat(claim(admin, register(admin, "instance-2"))).contains("hello");
        }
        try (AdminServer.Running again = AdminServer.start(db)) {
            assertThat(installation(again).path("id")).isEqualTo(original.path("id"));
            assertThat(installation(again).path("paused").asBoolean()).isFalse();
        }
    }

    @Test
    void startsPausedWhenConfigured() {
        try (AdminServer.Running admin = AdminServer.start(db, "--orth.installation.start-paused=true")) {
            assertThat(installation(admin).path("paused").asBoolean()).isTrue();
            assertThat(installation(admin).path("pauseReason").asString()).isEqualTo("START_PAUSED");
        }
    }

    /** Until its executor has got a run; returns which installation it was. */
    private JsonNode runTheOriginal() {
        try (AdminServer.Running admin = AdminServer.start(db)) {
            String group = admin.api()
                    .post("/api/groups", "{\"name\":\"billing\"}")
                    .json()
                    .path("id")
                    .asString();
            token = admin.api()
                    .get("/api/groups/%s/token".formatted(group))
                    .json()
                    .path("token")
                    .asString();
            JsonNode installation = installation(admin);
            assertThat(installation.path("paused").asBoolean()).isFalse();
            assertThat(register(admin, executor.instanceId())).isEqualTo(executor.instanceId());
            assertThat(admin.api().post("/api/jobs", JOB.formatted(group)).status())
                    .isEqualTo(201);
            await().atMost(LIMIT).until(() -> !executor.received().isEmpty());
            assertThat(executor.installations())
                    .containsOnly(installation.path("id").asString());
            return installation;
        }
    }

    private static void assertPausedAsACopyOf(JsonNode original, AdminServer.Running admin) {
        JsonNode installation = installation(admin);
        assertThat(installation.path("paused").asBoolean()).isTrue();
        assertThat(installation.path("pauseReason").asString()).isEqualTo("COPIED");
        assertThat(installation.path("copiedFromId")).isEqualTo(original.path("id"));
        assertThat(installation.path("id")).isNotEqualTo(original.path("id"));
        Answer health = admin.anonymous().get("/actuator/health");
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.body()).contains("PAUSED");
        assertThat(admin.anonymous().get("/actuator/health/readiness").status()).isEqualTo(200);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(admin.api().get("/api/logs").body())
                        .contains("is paused, because its database is a copy"));
    }

    private static JsonNode installation(AdminServer.Running admin) {
        return admin.api().get("/api/system").json().path("installation");
    }

    /** The heartbeat of the executor under this instance id, answered with the admin's installation. */
    private String register(AdminServer.Running admin, String instance) {
        Registration registration = new Registration(
                "billing", executor.address(), new Registration.Instance(instance, "host", 7, "test", true));
        Answer answer = admin.executor(token).post(AdminPaths.REGISTRY, text(Json.write(registration)));
        assertThat(answer.json().path("installationId"))
                .isEqualTo(installation(admin).path("id"));
        return instance;
    }

    private String claim(AdminServer.Running admin) {
        return claim(admin, executor.instanceId());
    }

    private String claim(AdminServer.Running admin, String instance) {
        WorkRequest work =
                new WorkRequest(instance, "emails", 0, UUID.randomUUID().toString(), 0, 0, 1, 0, 0, List.of());
        return admin.executor(token)
                .post(AdminPaths.QUEUE_WORK, text(Json.write(work)))
                .body();
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    /** As many passes of the node's lease, which is what a paused admin still does. */
    private static void awaitRenewals(AdminServer.Running admin, int renewals) {
        for (int i = 0; i < renewals; i++) {
            OffsetDateTime until = nodeLease(admin);
            await().atMost(LIMIT).until(() -> nodeLease(admin).isAfter(until));
        }
    }

    private static OffsetDateTime nodeLease(AdminServer.Running admin) {
        return admin.jdbc()
                .sql("select max(expires_at) from orth_node where node_id = :node")
                .param("node", admin.context().getBean(Node.class).id())
                .query(OffsetDateTime.class)
                .single();
    }

    private static long count(AdminServer.Running admin, String table) {
        return admin.jdbc()
                .sql("select count(*) from " + table)
                .query(Long.class)
                .single();
    }

    private String name() {
        return db.url().replaceAll("\\?.*", "").replaceAll(".*/", "");
    }

    private String urlOf(String database) {
        return db.url().replace("/" + name(), "/" + database);
    }

    private void onServer(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(urlOf("postgres"), db.user(), db.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
