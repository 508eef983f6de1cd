package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.security.ApiTokens;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls of users, and bodies that nothing reads, hold the threads of users and no other. */
@Tag("must-first")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RequestThreadsDbTest {

    private static final int THREADS = 20;
    private static final int SHARE_OF_USERS = THREADS * 70 / 100;
    private static final int CALLS = 3 * THREADS;
    private static final String GROUP = "g-with-threads";

    /** Longer than a test waits for anything. */
    private static final String BODY_TIMEOUT = "--orth.security.anonymous-body-timeout=2m";

    private static final int LIMIT_MILLIS = 60_000;

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private static AdminServer.Running admin;

    @BeforeAll
    static void start() {
        admin = AdminServer.start(db, "--server.tomcat.threads.max=" + THREADS, BODY_TIMEOUT);
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    @Test
    void answersExecutorsAndHealthChecksWhileUserThreadsAreBusy() throws Exception {
        ExecutorService users = Executors.newFixedThreadPool(CALLS);
        try (Connection locker = db.dataSource().getConnection()) {
            String token = tokenOfNewGroup();
            assertThat(beat(token)).isEqualTo(200);
            lock(locker, "orth_audit");

            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                answers.add(CompletableFuture.supplyAsync(() -> admin.api().get("/api/audit"), users));
            }
            await("calls beyond the share of users are refused")
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> refused(answers) >= CALLS - SHARE_OF_USERS);

            assertThat(admin.anonymous().get("/actuator/health/liveness").status())
                    .isEqualTo(200);
            assertThat(beat(token)).isEqualTo(200);

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

    /** A bearer token and a session are looked up in these tables. */
    @Test
    void healthIsAnsweredWithoutLookingUpCredentials() throws Exception {
        try (Connection locker = db.dataSource().getConnection()) {
            lock(locker, "orth_api_token");
            lock(locker, "orth_session");
            SecuredClient browser = admin.anonymous();
            browser.cookies().put(SecuredClient.SESSION, admin.apiToken().substring(ApiTokens.PREFIX.length()));

            for (SecuredClient caller : List.of(admin.api(), browser)) {
                assertThat(caller.get("/actuator/health").status()).isEqualTo(200);
                assertThat(caller.get("/actuator/health/liveness").status()).isEqualTo(200);
            }
            locker.rollback();
        }
    }

    @Test
    void unreadBodiesAreDroppedByThreadsOfUsers() throws Exception {
        try (Socket caller = callWithUnreadBody()) {
            assertThat(new String(caller.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200");

            await("one thread drops the body").until(() -> freeForUsers() == SHARE_OF_USERS - 1);
        }
        await("its connection is closed").until(() -> freeForUsers() == SHARE_OF_USERS);
    }

    @Test
    void unreadBodiesHoldNoThreadWhileUsersHoldTheirs() throws Exception {
        RequestThreads.Share users =
                admin.context().getBean(RequestThreads.class).others();
        int taken = takeAll(users);
        try (Socket caller = callWithUnreadBody()) {
            String untilClosed = new String(caller.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(untilClosed).startsWith("HTTP/1.1 200 ");
        } finally {
            giveBack(users, taken);
        }
    }

    /** A callback that is rejected for its token before its body is read. Most of the body never arrives. */
    private static Socket callWithUnreadBody() throws IOException {
        URI url = admin.url();
        Socket socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.getOutputStream()
                .write(
                        "POST /api/callback HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{"
                                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static int freeForUsers() {
        RequestThreads.Share users =
                admin.context().getBean(RequestThreads.class).others();
        int free = takeAll(users);
        giveBack(users, free);
        return free;
    }

    private static int takeAll(RequestThreads.Share share) {
        int taken = 0;
        while (share.take()) {
            taken++;
        }
        return taken;
    }

    private static void giveBack(RequestThreads.Share share, int taken) {
        for (int i = 0; i < taken; i++) {
            share.giveBack();
        }
    }

    private static void lock(Connection connection, String table) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("lock table %s in access exclusive mode".formatted(table));
        }
    }

    private static long refused(List<CompletableFuture<Answer>> answers) {
        return answers.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .filter(answer -> answer.status() == 503)
                .count();
    }

    private static String tokenOfNewGroup() {
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

    private static int beat(String token) {
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
