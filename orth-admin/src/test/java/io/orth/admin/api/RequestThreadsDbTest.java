package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More calls of users at once than the web server has threads, each as slow as a locked table makes it. */
@Tag("must-first")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RequestThreadsDbTest {

    private static final int THREADS = 20;
    private static final int SHARE_OF_USERS = THREADS * 70 / 100;
    private static final int CALLS = 3 * THREADS;
    private static final String GROUP = "g-with-threads";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    @Test
    void executorsAndHealthChecksAreAnsweredWhileUsersHoldTheirThreads() throws Exception {
        ExecutorService users = Executors.newFixedThreadPool(CALLS);
        try (AdminServer.Running admin = AdminServer.start(db, "--server.tomcat.threads.max=" + THREADS);
                Connection locker = db.dataSource().getConnection()) {
            String token = tokenOfNewGroup(admin);
            assertThat(beat(admin, token)).isEqualTo(200);
            locker.setAutoCommit(false);
            try (Statement statement = locker.createStatement()) {
                statement.execute("lock table orth_audit in access exclusive mode");
            }

            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                answers.add(CompletableFuture.supplyAsync(() -> admin.api().get("/api/audit"), users));
            }
            await("calls beyond the share of users are refused")
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> refused(answers) >= CALLS - SHARE_OF_USERS);

            assertThat(admin.anonymous().get("/actuator/health/liveness").status())
                    .isEqualTo(200);
            assertThat(beat(admin, token)).isEqualTo(200);

            locker.rollback();
            assertThat(answers.stream().map(CompletableFuture::join).map(Answer::status))
                    .isSubsetOf(200, 503)
                    .filteredOn(status -> status == 200)
                    .as(
                            "those that held a thread; where this takes long they are given up by the limit on waiting for locks")
                    .hasSizeLessThanOrEqualTo(SHARE_OF_USERS);
            assertThat(admin.api().get("/api/audit").status()).isEqualTo(200);
        } finally {
            users.shutdownNow();
        }
    }

    private static long refused(List<CompletableFuture<Answer>> answers) {
        return answers.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .filter(answer -> answer.status() == 503)
                .count();
    }

    private static String tokenOfNewGroup(AdminServer.Running admin) {
        String id = admin.api()
                .post("/api/groups", "{\"name\":\"%s\"}".formatted(GROUP))
                .json()
                .path("id")
                .asString();
        return admin.api()
                .get("/api/groups/" + id + "/token")
                .json()
                .path("token")
                .asString();
    }

    private static int beat(AdminServer.Running admin, String token) {
        return admin.executor(token)
                .post(
                        "/api/registry",
                        "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%s\",\"registryValue\":\"http://127.0.0.1:9/\"}"
                                .formatted(GROUP))
                .json()
                .path("code")
                .asInt();
    }
}
