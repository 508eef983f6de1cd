package io.orth.executor;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.LogReply;
import io.orth.protocol.Reply;
import io.orth.testkit.FakeAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of XXL-JOB's own admins, header by header and byte by byte, sent to a running executor. */
@Tag("must-executor")
@Timeout(60)
class XxlJobAdminRequestsTest {

    /** The differences between generations of admins on this side of the wire. */
    private enum Generation {
        /** 2.2. */
        W1("/run", "application/json;charset=UTF-8", "\"\"", "logDateTim", false),
        /** 2.3 to 3.2: an odd value of Accept-Charset, an empty string for a heartbeat, JSON escaped for HTML. */
        W2("/run", "application/json;charset=UTF-8", "\"\"", "logDateTim", false),
        /** 3.3 to 3.4: a heartbeat has neither a body nor a length. */
        W3("/run", "UTF-8", null, "logDateTim", false),
        /** 3.5: another path to run, another name for a time, the application's name in a header. */
        W4("/trigger", "UTF-8", null, "logDateTime", true);

        final String runPath;
        final String acceptCharset;
        final String beatBody;
        final String logTime;
        final boolean namesApplication;

        Generation(String runPath, String acceptCharset, String beatBody, String logTime, boolean namesApplication) {
            this.runPath = runPath;
            this.acceptCharset = acceptCharset;
            this.beatBody = beatBody;
            this.logTime = logTime;
            this.namesApplication = namesApplication;
        }
    }

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch holding = new CountDownLatch(1);
    private OrthExecutor executor;
    private Socket connection;

    @BeforeEach
    void start() throws IOException {
        executor = OrthExecutor.create(
                        ExecutorOptions.builder()
                                .group("tests")
                                .admin(admin.address())
                                .accessToken(FakeAdmin.TOKEN)
                                .logPath(directory)
                                .build(),
                        HandlerRegistry.builder()
                                .add("demoJobHandler", this::greet)
                                .add("hold", this::hold)
                                .build())
                .start();
        connection =
                new Socket(InetAddress.getLoopbackAddress(), executor.address().getPort());
    }

    @AfterEach
    void stop() throws IOException {
        release.countDown();
        connection.close();
        executor.stop(Duration.ofSeconds(5));
        admin.close();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void answersHeartbeat(Generation generation) throws IOException {
        assertOk(post(generation, "/beat", generation.beatBody));
        assertOk(post(generation, "/beat", generation.beatBody));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aJobRunsAndItsLogIsRead(Generation generation) throws IOException {
        assertOk(post(generation, generation.runPath, run(12, "demoJobHandler", 1001, "SERIAL_EXECUTION")));
        CallbackItem result = admin.awaitCallback(1001);
        assertThat(result.handleCode()).isEqualTo(200);
        assertThat(result.logDateTime()).isEqualTo(TRIGGERED_AT);
        assertThat(result.handleMsg()).isEqualTo("a<b='c' of shard 0/1");

        LogReply first = log(generation, 1001, 1);
        assertThat(first.fromLine()).isEqualTo(1);
        assertThat(first.toLine()).isEqualTo(3);
        assertThat(first.text()).contains("one\n").contains("two\n").endsWith("three\n");
        assertThat(first.end()).isFalse();

        LogReply second = log(generation, 1001, 3);
        assertThat(second.fromLine()).isEqualTo(3);
        assertThat(second.toLine()).isEqualTo(3);
        assertThat(second.text()).endsWith("three\n").doesNotContain("two");

        LogReply nothingNew = log(generation, 1001, first.toLine() + 1);
        assertThat(nothingNew.fromLine()).isGreaterThan(nothingNew.toLine());
        assertThat(nothingNew.text()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aLogThatIsNotThereIsAtItsEnd(Generation generation) throws IOException {
        LogReply missing = log(generation, 404, 1);

        assertThat(missing.toLine()).isZero();
        assertThat(missing.end()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aBusyJobIsNotIdleUntilItIsKilled(Generation generation) throws Exception {
        assertOk(post(generation, "/idleBeat", "{\"jobId\":12}"));
        assertOk(post(generation, generation.runPath, run(12, "hold", 1001, "SERIAL_EXECUTION")));
        holding.await();

        Reply busy = reply(post(generation, "/idleBeat", "{\"jobId\":12}"));
        assertThat(busy).isEqualTo(Reply.fail("job thread is running or has trigger queue."));
        Reply discarded = reply(post(generation, generation.runPath, run(12, "hold", 1002, "DISCARD_LATER")));
        assertThat(discarded.code()).isEqualTo(500);

        assertOk(post(generation, "/kill", "{\"jobId\":12}"));
        assertThat(admin.awaitCallback(1001).handleCode()).isEqualTo(500);
        await().untilAsserted(() -> assertOk(post(generation, "/idleBeat", "{\"jobId\":12}")));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void acceptsKillOfUnknownJob(Generation generation) throws IOException {
        assertOk(post(generation, "/kill", "{\"jobId\":99}"));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void rejectsUnknownHandlerInTheKnownWords(Generation generation) throws IOException {
        Reply reply = reply(post(generation, generation.runPath, run(12, "nobody", 1, "SERIAL_EXECUTION")));

        assertThat(reply).isEqualTo(Reply.fail("job handler [nobody] not found."));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void rejectsWrongTokenInTheKnownWords(Generation generation) throws IOException {
        Reply reply = reply(send(generation, "/beat", generation.beatBody, "default_token"));

        assertThat(reply).isEqualTo(Reply.fail("The access token is wrong."));
    }

    @Test
    void toleratesNumbersAsTextAndUnknownFields() throws IOException {
        assertOk(post(Generation.W2, "/run", """
                {"jobId":"12","executorHandler":"demoJobHandler","logId":"1001","logDateTime":"%d","somethingNew":{"a":[1]}}""".formatted(TRIGGERED_AT)));
        assertThat(admin.awaitCallback(1001).handleMsg()).isEqualTo(" of shard 0/1");

        assertOk(post(Generation.W2, "/idleBeat", "{\"jobId\":\"12\"}"));
        JsonObject reply = post(
                Generation.W2,
                "/log",
                "{\"logId\":\"1001\",\"logDateTim\":\"%d\",\"fromLineNum\":\"1\"}".formatted(TRIGGERED_AT));
        assertThat(LogReply.from(reply(reply).payloadObject()).toLine()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERIAL_EXECUTION", "DISCARD_LATER", "COVER_EARLY", "no_such_strategy", ""})
    void everyBlockStrategyOfAnAdminIsTaken(String strategy) throws IOException {
        assertOk(post(Generation.W3, "/run", run(12, "demoJobHandler", 1001, strategy)));

        assertThat(admin.awaitCallback(1001).handleCode()).isEqualTo(200);
    }

    private RunResult greet(OrthJobContext context) {
        OrthJobHelper.log("one");
        OrthJobHelper.log("two");
        OrthJobHelper.log("three");
        return RunResult.success(
                "%s of shard %d/%d".formatted(context.param(), context.shardIndex(), context.shardTotal()));
    }

    private RunResult hold(OrthJobContext context) throws InterruptedException {
        holding.countDown();
        release.await();
        return RunResult.success();
    }

    /** As the admins before 3.2 write it: what HTML could mistake is escaped. */
    private static String run(int jobId, String handler, long logId, String blockStrategy) {
        return """
                {"jobId":%d,"executorHandler":"%s","executorParams":"a\\u003cb\\u003d\\u0027c\\u0027",\
                "executorBlockStrategy":"%s","executorTimeout":0,"logId":%d,"logDateTime":%d,"glueType":"BEAN",\
                "glueSource":"","glueUpdatetime":1541254891000,"broadcastIndex":0,"broadcastTotal":1}""".formatted(jobId, handler, blockStrategy, logId, TRIGGERED_AT);
    }

    private LogReply log(Generation generation, long logId, int fromLine) throws IOException {
        JsonObject json = post(
                generation,
                "/log",
                "{\"%s\":%d,\"logId\":%d,\"fromLineNum\":%d}"
                        .formatted(generation.logTime, TRIGGERED_AT, logId, fromLine));
        // Where an object is allowed it is under both names, for both kinds of readers.
        JsonObject content = json.object("content").orElseThrow();
        JsonObject data = json.object("data").orElseThrow();
        assertThat(content.text("logContent")).isNotNull().isEqualTo(data.text("logContent"));
        assertThat(content.flag("isEnd")).isEqualTo(content.flag("end")).isEqualTo(data.flag("isEnd"));
        return LogReply.from(reply(json).payloadObject());
    }

    private static Reply reply(JsonObject json) {
        return Reply.from(json);
    }

    /** A payload that is neither a string nor null makes these admins give up. */
    private static void assertOk(JsonObject json) {
        assertThat(json.integer("code", 0)).as("%s", json.text("msg")).isEqualTo(200);
        assertThat(json.text("content", "")).isNotNull();
        assertThat(json.text("data", "")).isNotNull();
    }

    private JsonObject post(Generation generation, String path, String body) throws IOException {
        return send(generation, path, body, FakeAdmin.TOKEN);
    }

    /** As HttpURLConnection sends it, always over the same connection. */
    private JsonObject send(Generation generation, String path, String body, String token) throws IOException {
        StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\n")
                .append("XXL-JOB-ACCESS-TOKEN: " + token + "\r\n")
                .append(generation.namesApplication ? "XXL-JOB-APPNAME: tests\r\n" : "")
                .append("Content-Type: application/json;charset=UTF-8\r\n")
                .append("Accept-Charset: " + generation.acceptCharset + "\r\n")
                .append("User-Agent: Java/17.0.2\r\n")
                .append("Host: 127.0.0.1:9999\r\n")
                .append("Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2\r\n")
                .append("Connection: keep-alive\r\n");
        byte[] content = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        head.append(body == null ? "\r\n" : "Content-Length: " + content.length + "\r\n\r\n");
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.toString().getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(content);
        connection.getOutputStream().write(request.toByteArray());
        return Json.readObject(readAnswer(connection.getInputStream()));
    }

    private static byte[] readAnswer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            assertThat(next).as("the connection stays open").isNotNegative();
            head.append((char) next);
        }
        assertThat(head.toString()).startsWith("HTTP/1.1 200 OK");
        Matcher length = Pattern.compile("(?i)content-length: (\\d+)").matcher(head);
        assertThat(length.find()).isTrue();
        byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
        assertThat(new String(body, StandardCharsets.UTF_8))
                .as("read by lines by these clients")
                .doesNotContain("\n");
        return body;
    }
}
