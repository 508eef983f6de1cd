package io.orth.executor;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.Reply;
import io.orth.testkit.FakeAdmin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run's log read over a socket while the run is active. */
@Timeout(60)
class LogStreamTest {

    private static final String DONE = "done";
    private static final int MOST = 100;

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private final BlockingQueue<String> toPrint = new LinkedBlockingQueue<>();
    private OrthExecutor executor;
    private ExecutorClient client;

    @BeforeEach
    void start() throws Exception {
        executor = OrthExecutor.create(
                        ExecutorOptions.builder()
                                .group("tests")
                                .admin(admin.address())
                                .accessToken(FakeAdmin.TOKEN)
                                .logPath(directory)
                                .maxLogBytes(64_000_000)
                                .build(),
                        HandlerRegistry.builder()
                                .add("print", context -> print())
                                .add("flood", context -> flood())
                                .add("tell", context -> tell())
                                .build())
                .start();
        client = new ExecutorClient(executor.address());
    }

    @AfterEach
    void stop() {
        toPrint.add(DONE);
        executor.stop(Duration.ofSeconds(10));
        admin.close();
    }

    @Test
    @Tag("must-executor")
    void linesArriveAsTheyAreWrittenUntilTheRunHasEnded() throws Exception {
        client.run(trigger(1, "print", 7));
        try (Stream stream = new Stream(7, 0)) {
            List<Long> delays = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                long written = System.nanoTime();
                toPrint.add("line " + i);
                assertThat(stream.nextWithText().text()).endsWith("line " + i + "\n");
                delays.add((System.nanoTime() - written) / 1_000_000);
            }
            delays.sort(null);
            assertThat(delays.get(5)).as("delays in ms: %s", delays).isLessThan(2_000);
            toPrint.add(DONE);

            LogRange last = stream.next();

            assertThat(last.end()).isTrue();
            assertThat(last.to()).isEqualTo(last.size());
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void sendsFinishedLogFromAnyOffset() throws Exception {
        toPrint.addAll(List.of("one", "two", DONE));
        client.run(trigger(1, "print", 7));
        admin.awaitCallback(7);

        String whole = textOf(7, 0);
        assertThat(whole).contains("one\n").endsWith("two\n");
        assertThat(textOf(7, whole.length() - 4)).isEqualTo("two\n");
        assertThat(textOf(8, 0)).as("a run that was never here").isEmpty();
    }

    @Test
    void eachChunkCarriesProgressOfRunningRun() throws Exception {
        toPrint.add("40");
        client.run(trigger(1, "tell", 7));
        try (Stream stream = new Stream(7, 0)) {
            LogRange piece = stream.nextWithText();
            assertThat(piece.text()).endsWith("] progress 40 %\n");
            assertThat(piece.progress()).isEqualTo(40);
            assertThat(range(7).progress()).isEqualTo(40);

            toPrint.add("90");
            assertThat(stream.nextWithText().progress()).isEqualTo(90);

            toPrint.add(DONE);
            assertThat(stream.next().progress()).as("of a run that has ended").isNull();
            assertThat(range(7).progress()).isNull();
        }
    }

    @Test
    void waitsForQueuedRun() throws Exception {
        client.run(trigger(1, "print", 7));
        client.run(trigger(1, "print", 8));
        try (Stream stream = new Stream(8, 0)) {
            toPrint.addAll(List.of(DONE, "second run", DONE));

            assertThat(stream.nextWithText().text()).endsWith("second run\n");
        }
    }

    @Test
    void stalledReaderBlocksNeitherRunNorServer() throws Exception {
        try (Stream slow = new Stream(7, 0)) {
            client.run(trigger(1, "flood", 7));

            admin.awaitCallback(7);

            assertThat(Reply.from(client.postRaw(ExecutorPaths.BEAT, new byte[0]))
                            .code())
                    .isEqualTo(200);
            assertThat(slow.socket.isClosed()).isFalse();
        }
    }

    @Test
    void rejectsTooManyStreamsUntilOneEnds() throws Exception {
        client.run(trigger(1, "print", 7));
        List<Stream> open = new ArrayList<>();
        try {
            for (int i = 0; i < MOST; i++) {
                Stream stream = new Stream(7, 0);
                open.add(stream);
                assertThat(stream.isStream()).isTrue();
            }
            try (Stream refused = new Stream(7, 0)) {
                assertThat(refused.isStream()).isFalse();
                assertThat(refused.body()).contains("\"code\":500").contains("100 logs are being streamed already");
            }

            // A disconnected reader is noticed although nothing is written.
            open.remove(0).close();

            await().until(() -> {
                Stream next = new Stream(7, 0);
                open.add(next);
                return next.isStream();
            });
        } finally {
            for (Stream stream : open) {
                stream.close();
            }
        }
    }

    @Test
    void rejectsBadRequestsLikeOtherRoutes() throws Exception {
        for (String body :
                List.of("", "{", "{\"logId\":-1,\"logDateTime\":1}", "{\"logId\":1,\"logDateTime\":1,\"from\":-1}")) {
            assertThat(Reply.from(client.postRaw(ExecutorPaths.LOG_STREAM, body.getBytes(StandardCharsets.UTF_8)))
                            .code())
                    .isEqualTo(500);
        }
        assertThat(new String(
                        client.send(client.request(ExecutorPaths.LOG_STREAM)
                                        .POST(java.net.http.HttpRequest.BodyPublishers.ofString("{}"))
                                        .build())
                                .body(),
                        StandardCharsets.UTF_8))
                .contains("The access token is wrong.");
    }

    private RunResult print() throws InterruptedException {
        for (String line = toPrint.take(); !line.equals(DONE); line = toPrint.take()) {
            OrthJobHelper.log(line);
        }
        return RunResult.success();
    }

    private RunResult tell() throws InterruptedException {
        for (String percent = toPrint.take(); !percent.equals(DONE); percent = toPrint.take()) {
            OrthJobHelper.progress(Integer.parseInt(percent));
        }
        return RunResult.success();
    }

    private LogRange range(long logId) throws Exception {
        Reply reply = client.post(ExecutorPaths.LOG_RANGE, new LogRangeRequest(logId, TRIGGERED_AT, 0, 1_000));
        return LogRange.from(reply.payloadObject());
    }

    private static RunResult flood() {
        String line = "x".repeat(10_000);
        for (int i = 0; i < 3_000; i++) {
            OrthJobHelper.log(line);
        }
        return RunResult.success();
    }

    private String textOf(long logId, long from) throws IOException {
        try (Stream stream = new Stream(logId, from)) {
            StringBuilder text = new StringBuilder();
            LogRange piece = stream.next();
            while (!piece.end()) {
                text.append(piece.text());
                piece = stream.next();
            }
            return text.toString();
        }
    }

    /** One connection that reads a stream line by line, as far as it is asked to. */
    private final class Stream implements AutoCloseable {

        private final Socket socket;
        private final BufferedReader lines;
        private String contentType = "";

        Stream(long logId, long from) throws IOException {
            socket = new Socket(
                    InetAddress.getLoopbackAddress(), executor.address().getPort());
            byte[] body = Json.write(new LogRangeRequest(logId, TRIGGERED_AT, from, 64 * 1024));
            String head = "POST %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\nContent-Length: %d\r\n\r\n"
                    .formatted(ExecutorPaths.LOG_STREAM, Headers.ACCESS_TOKEN, FakeAdmin.TOKEN, body.length);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        private void readHead() throws IOException {
            for (String line = lines.readLine(); contentType.isEmpty() || !line.isEmpty(); line = lines.readLine()) {
                if (line.startsWith("content-type:")) {
                    contentType = line;
                }
            }
        }

        boolean isStream() throws IOException {
            readHead();
            return contentType.contains("ndjson");
        }

        /** The rest of an answer that keeps its connection. */
        String body() throws IOException {
            char[] text = new char[1_000];
            return new String(text, 0, lines.read(text));
        }

        /** The next piece; null after the end. */
        LogRange next() throws IOException {
            if (contentType.isEmpty()) {
                readHead();
            }
            // Lines between are the lengths of chunks.
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{")) {
                    return LogRange.from(Json.readObject(line.getBytes(StandardCharsets.UTF_8)));
                }
            }
            return null;
        }

        LogRange nextWithText() throws IOException {
            LogRange piece = next();
            while (piece != null && piece.text().isEmpty()) {
                piece = next();
            }
            return piece;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
