package io.orth.executor.internal.transport;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.ExecutorClient;
import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import io.orth.executor.RunResult;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.Reply;
import io.orth.testkit.FakeAdmin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to hostile requests: always HTTP 200 and code 500, and the executor keeps serving. */
@Tag("must-executor")
@Timeout(60)
class HostileRequestsTest {

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private final AtomicInteger executions = new AtomicInteger();
    private OrthExecutor executor;
    private ExecutorClient client;

    @BeforeEach
    void start() {
        executor = OrthExecutor.create(
                        ExecutorOptions.builder()
                                .group("tests")
                                .admin(admin.address())
                                .accessToken(FakeAdmin.TOKEN)
                                .logPath(directory.resolve("logs"))
                                .build(),
                        HandlerRegistry.builder()
                                .add("count", context -> {
                                    executions.incrementAndGet();
                                    return RunResult.success();
                                })
                                .build())
                .start();
        client = new ExecutorClient(executor.address());
    }

    @AfterEach
    void stillServesAndStops() throws Exception {
        assertThat(client.postRaw(ExecutorPaths.BEAT, new byte[0]).integer("code", 0))
                .isEqualTo(200);
        executor.stop(Duration.ofSeconds(5));
        admin.close();
        assertThat(executions).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "wrong", "fake-admin-toke", "fake-admin-tokenx", "FAKE-ADMIN-TOKEN"})
    void rejectsWrongTokenOnEveryPath(String token) throws Exception {
        for (String path : new String[] {
            "/run",
            "/trigger",
            "/beat",
            "/idleBeat",
            "/kill",
            "/log",
            "/orth/run",
            "/orth/log",
            "/orth/log/stream",
            "/orth/kill",
            "/orth/known",
            "/nowhere"
        }) {
            for (String header : new String[] {Headers.ACCESS_TOKEN, Headers.XXL_ACCESS_TOKEN}) {
                assertThat(replyTo(client.request(path)
                                .header(header, token)
                                .POST(BodyPublishers.ofString(trigger("\"logId\":1")))))
                        .isEqualTo(Reply.fail("The access token is wrong."));
            }
        }
    }

    @Test
    void rejectsMissingTokenBeforeReadingTheBody() throws Exception {
        Reply reply = replyTo(client.request("/run").POST(BodyPublishers.ofString("not json")));

        assertThat(reply).isEqualTo(Reply.fail("The access token is wrong."));
    }

    @Test
    void theTokenIsAcceptedUnderItsOldName() throws Exception {
        Reply reply = replyTo(client.request("/beat")
                .header(Headers.XXL_ACCESS_TOKEN, FakeAdmin.TOKEN)
                .POST(BodyPublishers.noBody()));

        assertThat(reply.code()).isEqualTo(Codes.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "\"\"",
                "1e999",
                "{\"logId\":",
                "{\"logId\":{}}",
                "{\"logId\":1.5}",
                "{}",
                "{\"logId\":1}",
                "{\"logId\":-1,\"logDateTime\":1}",
                "{\"logId\":0,\"logDateTime\":1}",
                "{\"logId\":1,\"logDateTime\":-1}",
                "{\"logId\":1,\"logDateTime\":9223372036854775807}",
                "{\"logId\":99999999999999999999,\"logDateTime\":1}",
                "{\"logId\":1,\"logId\":2,\"logDateTime\":1}",
                "{\"logId\":1,\"logDateTime\":1,\"jobId\":99999999999}",
                "{\"logId\":\"../../etc/passwd\",\"logDateTime\":1}",
                "\u0000\u0001\uFFFF"
            })
    void rejectsMalformedTrigger(String body) throws Exception {
        Reply reply = Reply.from(client.postRaw("/run", body.getBytes(StandardCharsets.UTF_8)));

        assertThat(reply.code()).isEqualTo(Codes.FAIL);
        assertThat(reply.msg()).isNotBlank().doesNotContain("Exception");
    }

    @Test
    void rejectsTriggerWithoutKnownHandler() throws Exception {
        assertThat(Reply.from(client.postRaw("/run", trigger("\"logId\":1").getBytes(StandardCharsets.UTF_8)))
                        .msg())
                .isEqualTo("job handler [null] not found.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../etc/passwd",
                "/etc/passwd",
                "count/../count",
                "count\\u0000",
                "\u202ecount",
                " count",
                "COUNT"
            })
    void rejectsSimilarHandlerName(String name) throws Exception {
        String body = trigger("\"logId\":1,\"executorHandler\":\"%s\"".formatted(name));

        Reply reply = Reply.from(client.postRaw("/run", body.getBytes(StandardCharsets.UTF_8)));

        assertThat(reply.msg()).startsWith("job handler [").endsWith("] not found.");
        assertThat(directory.resolve("logs/2030-01-01")).doesNotExist();
    }

    @Test
    void rejectsTextThatIsNotUtf8() throws Exception {
        byte[] body = trigger("\"logId\":1,\"executorHandler\":\"count\",\"executorParams\":\"?\"")
                .getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < body.length; i++) {
            body[i] = body[i] == '?' ? (byte) 0xC3 : body[i];
        }

        assertThat(Reply.from(client.postRaw("/run", body)).code()).isEqualTo(Codes.FAIL);
    }

    @Test
    void rejectsDeepNesting() throws Exception {
        String deep = "{\"a\":".repeat(100_000);

        assertThat(Reply.from(client.postRaw("/run", deep.getBytes(StandardCharsets.UTF_8)))
                        .code())
                .isEqualTo(Codes.FAIL);
    }

    @Test
    void rejectsTooLargeBody() throws Exception {
        byte[] body = new byte[10 * 1024 * 1024];

        Reply reply = Reply.from(client.postRaw("/run", body));

        assertThat(reply).isEqualTo(Reply.fail("the body is larger than 5242880 bytes"));
    }

    @Test
    void rejectsChunkedBodyThatGrowsTooLarge() throws Exception {
        Reply reply = replyTo(client.request("/run")
                .header(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN)
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[6 * 1024 * 1024]))));

        assertThat(reply.msg()).startsWith("the body is larger");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/run/", "/run?a=b", "/RUN", "/../run", "/%72un", "/kill/", "/orth", "//run"})
    void rejectsUnknownPath(String path) throws Exception {
        String answer =
                exchange("POST %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        .formatted(path, Headers.ACCESS_TOKEN, FakeAdmin.TOKEN));

        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK")
                .contains("\"code\":500")
                .contains("there is no " + path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE", "OPTIONS", "PATCH"})
    void onlyPostIsServed(String method) throws Exception {
        Reply reply = replyTo(client.request("/run")
                .header(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN)
                .method(method, BodyPublishers.noBody()));

        assertThat(reply.msg()).isEqualTo("only POST is served, not " + method);
    }

    @Test
    void rejectsNonHttpRequestsAndCloses() throws Exception {
        assertThat(exchange("\u0016\u0003\u0001\u0002\r\n\r\n")).contains("not a valid HTTP request");
        assertThat(exchange("POST /run HTTP/1.1\r\nX: " + "y".repeat(20_000) + "\r\n\r\n"))
                .contains("not a valid HTTP request");
        assertThat(exchange("POST /" + "y".repeat(10_000) + " HTTP/1.1\r\n\r\n"))
                .contains("not a valid HTTP request");
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        String beat = "POST /beat HTTP/1.1\r\nHost: x\r\n%s: %s\r\nContent-Length: 0\r\n\r\n"
                .formatted(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN);
        String last = "POST /beat HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

        String answers = exchange(beat.repeat(50) + last);

        assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(52);
        assertThat(answers).endsWith("{\"code\":500,\"msg\":\"The access token is wrong.\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"logId\":-1,\"logDateTime\":1,\"from\":0", "\"logId\":1,\"logDateTime\":1,\"from\":-1",
                "\"logId\":1,\"logDateTime\":-1", "\"logId\":1,\"logDateTime\":9223372036854775807",
                "\"logId\":\"../secret\",\"logDateTime\":1", "\"logId\":1,\"logDateTime\":\"2026-01-01/../..\"",
                "\"logId\":1,\"logDateTime\":1,\"from\":9223372036854775808", "\"logDateTime\":1",
                "\"logId\":1,\"logDateTime\":1,\"maxBytes\":99999999999"
            })
    void rejectsTrickyLogRequest(String fields) throws Exception {
        byte[] body = "{%s}".formatted(fields).getBytes(StandardCharsets.UTF_8);

        assertThat(Reply.from(client.postRaw("/orth/log", body)).code()).isEqualTo(Codes.FAIL);
    }

    @Test
    void aLogRequestFarBeyondTheEndIsAnsweredWithNothing() throws Exception {
        Path file = directory.resolve("logs/2030-01-01/3.log");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "text\n");
        byte[] body = "{\"logId\":3,\"logDateTime\":%d,\"from\":9223372036854775807,\"maxBytes\":-1}"
                .formatted(TRIGGERED_AT)
                .getBytes(StandardCharsets.UTF_8);

        Reply reply = Reply.from(client.postRaw("/orth/log", body));

        assertThat(reply.code()).isEqualTo(Codes.SUCCESS);
        assertThat(reply.payloadObject().text("text")).isEmpty();
    }

    private Reply replyTo(HttpRequest.Builder request) throws Exception {
        HttpResponse<byte[]> response = client.send(request.build());
        assertThat(response.statusCode()).isEqualTo(200);
        return Reply.from(Json.readObject(response.body()));
    }

    /** Sends bytes and returns all that comes back until the server closes the connection. */
    private String exchange(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), executor.address().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String trigger(String fields) {
        return "{\"jobId\":1,\"logDateTime\":%d,%s}".formatted(TRIGGERED_AT, fields);
    }
}
