package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.Headers;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that send their bodies a byte at a time: they lose their connections, and no other caller notices. */
@Tag("must-first")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SlowBodiesDbTest {

    /** More than the web server has threads. */
    private static final int CLIENTS = 260;

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String JSON = "Content-Type: application/json";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private static AdminServer.Running admin;
    private static String group;
    private static String token;

    @BeforeAll
    static void start() {
        admin = AdminServer.start(db, "--orth.security.anonymous-body-timeout=2s", "--orth.security.body-timeout=4s");
        group = "g-of-the-patient";
        String id = admin.api()
                .post("/api/groups", "{\"name\":\"%s\"}".formatted(group))
                .json()
                .path("id")
                .asString();
        token = admin.api()
                .get("/api/groups/" + id + "/token")
                .json()
                .path("token")
                .asString();
        assertThat(beat().json().path("code").asInt()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    private static Answer beat() {
        return admin.executor(token)
                .post(
                        "/api/registry",
                        "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%s\",\"registryValue\":\"http://127.0.0.1:9/\"}"
                                .formatted(group));
    }

    /** A kind of slow caller, and what it calls. */
    enum Slow {
        LOGIN("/api/session", ""),
        STRANGER("/api/users", ""),
        STRANGER_ANYWHERE("/nothing/here", ""),
        NO_EXECUTOR("/api/registry", ""),
        FALSE_EXECUTOR("/xxl-job-admin/api/callback", Headers.ACCESS_TOKEN + ": guess\r\n"),
        USER("/api/jobs/import", "Authorization: Bearer %s\r\n");

        private final String path;
        private final String header;

        Slow(String path, String header) {
            this.path = path;
            this.header = header;
        }

        String head() {
            return "POST %s HTTP/1.1\r\nHost: x\r\n%s\r\n%sContent-Length: 10000\r\n\r\n{"
                    .formatted(path, JSON, header.formatted(admin.apiToken()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void slowBodiesBlockNoOtherCallerAndAreAborted(Slow slow) throws Exception {
        List<SlowClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new SlowClient(slow.head()));
            }
            clients.forEach(SlowClient::start);

            for (int i = 0; i < 10; i++) {
                clients.forEach(SlowClient::drip);
                assertThat(admin.anonymous().get("/actuator/health").status()).isEqualTo(200);
                assertThat(beat().json().path("code").asInt()).isEqualTo(200);
                assertThat(admin.api().get("/api/groups").status()).isEqualTo(200);
            }

            await("each of them is cut")
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        clients.forEach(SlowClient::drip);
                        return clients.stream().allMatch(SlowClient::isCut);
                    });
        } finally {
            for (SlowClient client : clients) {
                client.close();
            }
        }
        assertThat(clients.stream().filter(SlowClient::wasAnswered)).isNotEmpty();
        assertThat(admin.anonymous().get("/actuator/health").status()).isEqualTo(200);
    }

    /** Sends the head of a call, and one byte of its body on each request. */
    private static final class SlowClient {

        private final Socket socket;
        private final CompletableFuture<String> answer = new CompletableFuture<>();
        private final Thread reader = new Thread(this::read);

        SlowClient(String head) throws IOException {
            URI url = admin.url();
            this.socket = new Socket(url.getHost(), url.getPort());
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            reader.setDaemon(true);
        }

        void start() {
            reader.start();
        }

        private void read() {
            try {
                answer.complete(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                answer.complete("");
            }
        }

        void drip() {
            if (!answer.isDone()) {
                try {
                    socket.getOutputStream().write(' ');
                } catch (IOException e) {
                    answer.complete("");
                }
            }
        }

        boolean isCut() {
            return answer.isDone();
        }

        boolean wasAnswered() {
            return answer.getNow("").startsWith("HTTP/1.1 ");
        }

        void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void rejectsSlowBodyWithReason() throws IOException {
        String silent = raw(Slow.LOGIN.head());

        assertThat(silent).startsWith("HTTP/1.1 408 ").contains("\"code\":\"REQUEST_TIMEOUT\"");
    }

    @Test
    void answersRejectedCallBeforeItsBodyAndKeepsConnection() throws IOException {
        URI url = admin.url();
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            for (int i = 0; i < 3; i++) {
                write(socket, "POST /api/callback HTTP/1.1\r\nHost: x\r\n" + JSON + "\r\nContent-Length: 20\r\n\r\n");

                assertThat(answerOf(socket)).startsWith("HTTP/1.1 200 ").contains("The access token is wrong.");

                write(socket, "{} and eighteen more");
            }
        }
    }

    @Test
    void answersContinueOnlyForBodiesThatAreRead() throws IOException {
        String expects = "\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
        URI url = admin.url();
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            write(socket, "POST /api/callback HTTP/1.1\r\nHost: x\r\n" + JSON + expects);
            assertThat(answerOf(socket)).startsWith("HTTP/1.1 200 ").contains("The access token is wrong.");
        }
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            write(socket, "POST /api/session HTTP/1.1\r\nHost: x\r\n" + JSON + expects);
            assertThat(answerOf(socket)).startsWith("HTTP/1.1 100 ");
            write(socket, "{}");
            assertThat(answerOf(socket)).startsWith("HTTP/1.1 400 ").contains("user is missing");
        }
    }

    @Test
    void rejectsUnexpectedBody() throws IOException {
        assertThat(raw("GET /api/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + admin.apiToken()
                        + "\r\nContent-Length: 20\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("a GET has no body");
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The head of one answer and, where its length is said, its body. */
    private static String answerOf(Socket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            answer.append((char) socket.getInputStream().read());
        }
        String head = answer.toString();
        int length = head.indexOf("Content-Length: ");
        if (length >= 0) {
            int bytes = Integer.parseInt(head.substring(length + 16, head.indexOf('\r', length)));
            answer.append(new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8));
        } else if (head.contains("Transfer-Encoding: chunked")) {
            while (answer.indexOf("\r\n0\r\n\r\n") < 0) {
                answer.append((char) socket.getInputStream().read());
            }
        }
        return answer.toString();
    }

    /** All that comes until the connection is closed. */
    private static String raw(String request) throws IOException {
        URI url = admin.url();
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            write(socket, request);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
