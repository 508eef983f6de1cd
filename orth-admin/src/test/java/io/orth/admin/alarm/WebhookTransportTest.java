package io.orth.admin.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.orth.admin.alarm.AlarmMessage.Told;
import io.orth.admin.alarm.ChannelSpec.Watch;
import io.orth.testkit.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests to webhook services, received by a local server. */
class WebhookTransportTest {

    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final List<String> signatures = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private int status = 200;
    private String answer = "ok";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            queries.add(String.valueOf(exchange.getRequestURI().getRawQuery()));
            signatures.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Orth-Signature")));
            if (status == 302) {
                exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/");
            }
            byte[] reply = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, reply.length);
            exchange.getResponseBody().write(reply);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void slackReceivesText() throws Exception {
        send(ChannelKind.SLACK, null);

        assertThat(json(bodies.get(0)).path("text").asString())
                .startsWith("[test] 3 failed: nightly")
                .contains("nightly · run 7 · FAILED 200/500 · attempt 2", "\"quoted\" <b>", "… and 2 more");
    }

    @Test
    void signsDingTalkAddressAndReadsErrorFromBody() throws Exception {
        answer = "{\"errcode\":0,\"errmsg\":\"ok\"}";
        send(ChannelKind.DINGTALK, "SEC1");

        assertThat(json(bodies.get(0)).path("text").path("content").asString()).contains("nightly");
        assertThat(queries.get(0))
                .isEqualTo("key=1&timestamp=1893456000000&sign=P0oJBdF52ySt5d9uAQsBjHlgwvt%2BjTZHM6AkDQrq3JQ%3D");
        answer = "{\"errcode\":310000,\"errmsg\":\"sign not match\"}";
        assertThatThrownBy(() -> send(ChannelKind.DINGTALK, null)).hasMessageContaining("sign not match");
    }

    @Test
    void signsFeishuBodyAndReadsErrorFromBody() throws Exception {
        answer = "{\"code\":0}";
        send(ChannelKind.FEISHU, "SEC1");

        JsonNode body = json(bodies.get(0));
        assertThat(body.path("msg_type").asString()).isEqualTo("text");
        assertThat(body.path("timestamp").asString()).isEqualTo("1893456000");
        assertThat(body.path("sign").asString()).isEqualTo("A39D03pfQECzGItoylwzQTezXd0WgqpXv/9IesXGrWo=");
        answer = "{\"code\":19021}";
        assertThatThrownBy(() -> send(ChannelKind.FEISHU, null)).hasMessageContaining("19021");
        answer = "not json";
        assertThatThrownBy(() -> send(ChannelKind.FEISHU, null)).hasMessageContaining("refused");
    }

    @Test
    void webhookReceivesAllFieldsAndSignature() throws Exception {
        send(ChannelKind.WEBHOOK, "key");

        JsonNode body = json(bodies.get(0));
        assertThat(body.path("alarmId").asString()).isEqualTo("42");
        assertThat(body.path("count").asInt()).isEqualTo(3);
        assertThat(body.path("runs").path(0).toString()).isEqualTo("""
                {"runId":"7","jobId":"1","job":"nightly","group":"group","status":"FAILED","triggerCode":200,"handleCode":500,\
                "attempt":2,"message":"\\"quoted\\" <b>\\nsecond line","finishedAt":"2030-01-01T00:00:00Z","url":null}""");
        assertThat(signatures.get(0)).matches("sha256=[0-9a-f]{64}");
    }

    @Test
    @Tag("must-first")
    void webhookReceivesFailedPipelineRuns() throws Exception {
        FailedPipelineRun run =
                new FailedPipelineRun(71, "books", 1, "stage courses: 1 of 2 tasks failed", Instant.EPOCH);
        AlarmMessage message =
                new AlarmMessage(44, "ops", "test", 1, List.of(), List.of(run), List.of(), "https://orth.example");

        transport(List.of("127.0.0.0/8")).send(channel(ChannelKind.WEBHOOK, null), message);

        JsonNode body = json(bodies.get(0));
        assertThat(body.path("runs").size()).isZero();
        assertThat(body.path("pipelineRuns").toString()).isEqualTo("""
                [{"runId":"71","pipeline":"books","message":"stage courses: 1 of 2 tasks failed",\
                "failedAt":"1970-01-01T00:00:00Z","url":"https://orth.example/pipeline-runs/71"}]""");
    }

    @Test
    @Tag("must-queues")
    void queueAlertsHaveOwnTextAndFields() throws Exception {
        AlarmNotice fires = new AlarmNotice("emails", "Backlog", false, "3 messages wait", 1, Instant.EPOCH);
        AlarmNotice over = new AlarmNotice("orders", "Backlog", true, "over after 5 min", null, Instant.EPOCH);
        AlarmMessage message = new AlarmMessage(
                43, "ops", "test", 25, List.of(), List.of(), List.of(fires, over), "https://orth.example");

        transport(List.of("127.0.0.0/8")).send(channel(ChannelKind.WEBHOOK, null), message);

        JsonNode body = json(bodies.get(0));
        assertThat(body.path("text").asString()).isEqualTo("""
                [test] 25 queue alerts
                queue emails: 3 messages wait (alert Backlog)
                  https://orth.example/queues/emails
                queue orders: over after 5 min (alert Backlog)
                  https://orth.example/queues/orders
                … and 23 more""");
        assertThat(body.path("runs").size()).isZero();
        assertThat(body.path("alerts").path(0).toString()).isEqualTo("""
                {"queue":"emails","rule":"Backlog","state":"FIRING","text":"3 messages wait","at":"1970-01-01T00:00:00Z",\
                "url":"https://orth.example/queues/emails"}""");
        assertThat(body.path("alerts").path(1).path("state").asString()).isEqualTo("RECOVERED");
        assertThat(AlarmText.of(message, "{{job}} failed")).startsWith("[test] 25 queue alerts");
    }

    @ParameterizedTest
    @CsvSource({"302", "400", "404", "500"})
    void failsUnlessSuccessfulAndFollowsNoRedirect(int code) {
        status = code;
        answer = "secret\u0007details";

        assertThatThrownBy(() -> send(ChannelKind.SLACK, null))
                .isInstanceOf(IOException.class)
                .hasMessage("it answered %d: secret details".formatted(code));
        assertThat(bodies).hasSize(1);
    }

    @Test
    void postsToNoReservedAddressByDefault() {
        WebhookTransport transport = transport(List.of());

        assertThatThrownBy(() -> transport.send(channel(ChannelKind.SLACK, null), message()))
                .hasMessageContaining("orth.alarm.allowed-networks");
        assertThat(bodies).isEmpty();
    }

    @Test
    void templateReplacesOnlyPlaceholders() {
        String text = AlarmText.of(message(), "{{ job }}: {{count}} {{status}} ${7*7} {{message}}");

        assertThat(text).isEqualTo("nightly: 3 FAILED ${7*7} \"quoted\" <b>\nsecond line");
        assertThat(AlarmText.checkTemplate("{{job}} {{secret}}"))
                .hasValueSatisfying(error -> assertThat(error.message()).contains("'secret'"));
        assertThat(AlarmText.checkTemplate("{{job}} {x} {{ count }}")).isEmpty();
    }

    private void send(ChannelKind kind, String secret) throws Exception {
        transport(List.of("127.0.0.0/8")).send(channel(kind, secret), message());
    }

    private static WebhookTransport transport(List<String> allowed) {
        HttpClient http = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        return new WebhookTransport(
                http,
                new WebhookPolicy(allowed, InetAddress::getAllByName),
                new WebhookBodies(ManualClock.at("2030-01-01T00:00:00Z")),
                Duration.ofSeconds(5));
    }

    private ChannelSpec channel(ChannelKind kind, String secret) {
        String target =
                "http://127.0.0.1:%d/hook?key=1".formatted(server.getAddress().getPort());
        return new ChannelSpec(
                "ops", kind, target, secret, null, false, Duration.ZERO, new Watch(true, Set.of(), Set.of()), true);
    }

    private static AlarmMessage message() {
        List<Told> runs = new ArrayList<>();
        runs.add(new Told(
                7,
                1,
                "nightly",
                "group",
                "FAILED",
                200,
                500,
                2,
                "\"quoted\" <b>\nsecond line",
                Instant.parse("2030-01-01T00:00:00Z")));
        return AlarmMessage.ofRuns(42, "ops", "test", 3, runs);
    }

    private static JsonNode json(String text) {
        return JsonMapper.builder().build().readTree(text);
    }
}
