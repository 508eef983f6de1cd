package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.WireMessage;
import io.orth.protocol.WorkRequest;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An admin whose callback workers all wait for row locks, and more callbacks than there are connections. */
@Tag("must-kernel")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BlockedCallbacksDbTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int POOL_SIZE = 8;

    /** The workers' share of the connections. */
    private static final int WORKERS = POOL_SIZE / 2;

    private static final int CALLBACKS = 3 * POOL_SIZE;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor(UUID.randomUUID().toString());
    private final ExecutorService senders = Executors.newFixedThreadPool(CALLBACKS);
    private AdminServer.Running admin;
    private String group;
    private String token;

    @BeforeEach
    void start() {
        admin = AdminServer.start(db, "--orth.database.pool-size=" + POOL_SIZE, "--orth.callback.batch-size=1");
        group = admin.api()
                .post("/api/groups", "{\"name\":\"workers\"}")
                .json()
                .path("id")
                .asString();
        token = admin.api()
                .get("/api/groups/%s/token".formatted(group))
                .json()
                .path("token")
                .asString();
    }

    @AfterEach
    void stop() {
        senders.shutdownNow();
        executor.close();
        admin.close();
    }

    @Test
    void firesJobsAndAnswersClaimsWhileAllCallbackWorkersAreBlocked() throws SQLException {
        List<Long> runs = pendingRuns();
        List<CompletableFuture<Answer>> callbacks = new ArrayList<>();
        try (Connection locker = db.dataSource().getConnection()) {
            locker.setAutoCommit(false);
            int pid = lock(locker, runs);
            runs.forEach(run ->
                    callbacks.add(CompletableFuture.supplyAsync(() -> wire("/api/callback", result(run)), senders)));
            await().atMost(LIMIT).until(() -> blockedBy(pid) == WORKERS);

            createJob("due", "\"schedule\":{\"type\":\"CRON\",\"cron\":\"* * * * * ?\",\"zone\":\"UTC\"}");
            await().atMost(LIMIT).until(() -> {
                beat();
                return received("due") > 0;
            });
            admin.api().post("/api/queues/mails/messages", "{\"payload\":\"hello\"}");
            assertThat(claim().body()).contains("\"payload\":\"hello\"");

            // A lock is waited for at most 10 s; then a worker takes the next callback.
            await().atMost(LIMIT).until(() -> blockedBy(pid) == WORKERS);
            assertThat(callbacks).anyMatch(callback -> !callback.isDone());
            locker.rollback();
        }

        assertThat(callbacks)
                .allSatisfy(callback -> assertThat(callback.get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                                .status())
                        .isEqualTo(200));
    }

    private List<Long> pendingRuns() {
        beat();
        String job = createJob("slow", "\"schedule\":{\"type\":\"NONE\"}");
        List<Long> runs = new ArrayList<>();
        for (int i = 0; i < CALLBACKS; i++) {
            runs.add(Long.valueOf(admin.api()
                    .post(job + "/trigger", null)
                    .json()
                    .path("runId")
                    .asString()));
        }
        await().atMost(LIMIT).until(() -> {
            beat();
            return received("slow") == CALLBACKS && pending() == CALLBACKS;
        });
        return runs;
    }

    private String createJob(String handler, String schedule) {
        Answer created = admin.api()
                .post(
                        "/api/jobs",
                        "{\"name\":\"%s\",\"groupId\":\"%s\",\"handler\":\"%s\",%s}"
                                .formatted(handler, group, handler, schedule));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        return created.header("Location");
    }

    private long received(String handler) {
        return executor.received().stream()
                .filter(trigger -> trigger.handler().equals(handler))
                .count();
    }

    private int pending() {
        return admin.jdbc()
                .sql("select count(*) from orth_run where status = 'PENDING'")
                .query(Integer.class)
                .single();
    }

    /** Returns the session that holds the locks. */
    private static int lock(Connection connection, List<Long> runs) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "select pg_backend_pid() from orth_run where id = any(?) order by id for update")) {
            select.setArray(1, connection.createArrayOf("bigint", runs.toArray()));
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    private int blockedBy(int pid) {
        return admin.jdbc()
                .sql("select count(*) from pg_stat_activity where :pid = any(pg_blocking_pids(pid))")
                .param("pid", pid)
                .query(Integer.class)
                .single();
    }

    private void beat() {
        Registration.Instance instance = new Registration.Instance(executor.instanceId(), "host", 7, "test", true);
        assertThat(wire("/api/registry", text(new Registration("workers", executor.address(), instance)))
                        .status())
                .isEqualTo(200);
    }

    private Answer claim() {
        return wire(
                "/api/orth/queues/work",
                text(new WorkRequest(
                        executor.instanceId(), "mails", 0, UUID.randomUUID().toString(), 0, 0, 1, 0, 0, List.of())));
    }

    private String result(long run) {
        return new String(
                Json.write(List.of(new CallbackItem(run, 0, 200, null, executor.instanceId()))),
                StandardCharsets.UTF_8);
    }

    private Answer wire(String path, String body) {
        return admin.executor(token).post(path, body);
    }

    private static String text(WireMessage message) {
        return new String(Json.write(message), StandardCharsets.UTF_8);
    }
}
