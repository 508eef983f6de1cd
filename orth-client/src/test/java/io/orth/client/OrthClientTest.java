package io.orth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orth.client.OrthClientException.FieldError;
import io.orth.testkit.ScriptedAdmin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of the client, and its handling of responses and of their absence. */
@Tag("must-queues")
class OrthClientTest {

    private static final String PUSHED = "{\"id\":\"17\",\"duplicate\":false,\"new\":{\"field\":[1]}}";

    record Letter(String to, Instant at, List<Integer> sizes) {}

    private final List<Duration> waits = new ArrayList<>();
    private ScriptedAdmin one;
    private ScriptedAdmin two;
    private OrthClient client;

    @BeforeEach
    void start() throws IOException {
        one = new ScriptedAdmin();
        two = new ScriptedAdmin();
        client = client(Duration.ofSeconds(20));
    }

    private OrthClient client(Duration timeout) {
        return OrthClient.builder()
                .admins(one.url(), two.url() + "/")
                .token("secret")
                .timeout(timeout)
                .wait(waits::add)
                .build();
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    // --- requests

    @Test
    void aPayloadIsPushedAsText() {
        one.then(201, PUSHED);

        Pushed pushed =
                client.queues().push("emails", new Letter("ann", Instant.parse("2030-01-31T12:00:00Z"), List.of(1, 2)));

        assertThat(pushed).isEqualTo(new Pushed(17, false));
        ScriptedAdmin.Call call = one.calls.get(0);
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.path()).isEqualTo("/api/queues/emails/messages");
        assertThat(call.authorization()).isEqualTo("Bearer secret");
        assertThat(call.key()).hasSize(36);
        assertThat(call.body())
                .isEqualTo(
                        "{\"payload\":\"{\\\"to\\\":\\\"ann\\\",\\\"at\\\":\\\"2030-01-31T12:00:00Z\\\",\\\"sizes\\\":[1,2]}\"}");
    }

    @Test
    void sendsAllMessageOptions() {
        one.then(201, PUSHED);

        client.queues()
                .push(
                        "emails",
                        Message.of("hello")
                                .lane(Lane.HIGH)
                                .delay(Duration.ofSeconds(30))
                                .uniqueKey("u", Duration.ofMinutes(1))
                                .groupKey("g")
                                .maxAttempts(5)
                                .backoff(new Backoff(Duration.ofSeconds(1), 3, Duration.ofHours(1)))
                                .traceId("t")
                                .metadata(Map.of("tenant", "acme")));

        assertThat(one.calls.get(0).body().replaceAll("\"backoff\":\\{[^}]*}", "\"backoff\":R"))
                .isEqualTo("{\"payload\":\"hello\",\"lane\":\"HIGH\",\"delay\":\"PT30S\",\"uniqueKey\":\"u\","
                        + "\"uniqueFor\":\"PT1M\",\"groupKey\":\"g\",\"maxAttempts\":5,\"backoff\":R,"
                        + "\"metadata\":{\"tenant\":\"acme\"},\"traceId\":\"t\"}");
        assertThat(one.calls.get(0).body())
                .contains("\"initialDelay\":\"PT1S\"", "\"multiplier\":3.0", "\"maxDelay\":\"PT1H\"", "\"jitter\":0.0");
    }

    @Test
    void unknownFieldsOfNewerAdminsAreIgnored() {
        one.then(200, """
                {"name":"emails","paused":true,"waiting":3,"backoff":{"initialDelay":"PT1S","multiplier":2.0,"maxDelay":"PT1H","jitter":0.25},
                 "createdAt":"2030-01-31T12:00:00Z","shape":{"of":"things"}}
                """);

        QueueInfo queue = client.queues().get("emails");

        assertThat(queue.paused()).isTrue();
        assertThat(queue.waiting()).isEqualTo(3);
        assertThat(queue.backoff()).isEqualTo(new Backoff(Duration.ofSeconds(1), 2, Duration.ofHours(1), 0.25));
    }

    // --- rejections

    @Test
    void exposesProblemDetails() {
        one.then(400, """
                {"status":400,"code":"INVALID_INPUT","detail":"lane must be one of …","traceId":"abc",
                 "errors":[{"field":"lane","message":"must be one of …"}]}
                """);

        OrthClientException refused = catchThrowableOfType(
                OrthClientException.class, () -> client.queues().push("emails", "hello"));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.code()).isEqualTo("INVALID_INPUT");
        assertThat(refused.fields()).containsExactly(new FieldError("lane", "must be one of …"));
        assertThat(refused.traceId()).isEqualTo("abc");
        assertThat(one.calls).hasSize(1);
        assertThat(two.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "../jobs", "ä", ".", ".."})
    void doesNotSendInvalidQueueName(String name) {
        assertThatThrownBy(() -> client.queues().push(name, "hello"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("queue must be");
        assertThat(one.calls).isEmpty();
    }

    // --- admins that do not answer

    @Test
    void failsOverAndPrefersTheAdminThatAnswered() {
        one.close();
        two.then(201, PUSHED);

        client.queues().push("emails", "a");
        client.queues().push("emails", "b");

        assertThat(two.calls).hasSize(2);
        assertThat(waits).isEmpty();
    }

    @Test
    void repeatsPushAfterLostReplyWithSameKey() {
        one.thenLoseTheAnswer();
        two.thenLoseTheAnswer().then(201, PUSHED);

        assertThat(client.queues().push("emails", "hello").id()).isEqualTo(17);

        // The JDK's client repeats requests of its own accord, but never a POST.
        assertThat(one.calls).hasSize(2);
        assertThat(two.calls).hasSize(2);
        assertThat(one.calls)
                .extracting(ScriptedAdmin.Call::key)
                .containsOnly(two.calls.get(0).key());
        assertThat(two.calls)
                .extracting(ScriptedAdmin.Call::body)
                .containsOnly(one.calls.get(0).body());
        assertThat(waits).containsExactly(Duration.ofMillis(200));
    }

    @Test
    void repeatsTriggerAfterLostReplyWithSameKey() {
        one.thenLoseTheAnswer();
        two.then(202, "{\"runId\":\"5\"}");

        assertThat(client.jobs().trigger(7, "param")).isEqualTo(5);
        assertThat(two.calls.get(0).key())
                .isNotNull()
                .isEqualTo(one.calls.get(0).key());
    }

    @Test
    void doesNotRepeatCallWithoutKeyAfterLostReply() {
        one.thenLoseTheAnswer();

        assertThatThrownBy(() -> client.pipelines().cancel(7, null))
                .isInstanceOfSatisfying(OrthClientException.class, failed -> {
                    assertThat(failed.code()).isEqualTo(OrthClientException.UNREACHABLE);
                    assertThat(failed.status()).isZero();
                });
        assertThat(one.calls).hasSize(1);
        assertThat(two.calls).isEmpty();
    }

    @Test
    void sendsTriggerToNextAdminIfItCannotHaveArrived() {
        one.close();
        two.then(202, "{\"runId\":\"5\"}");

        assertThat(client.jobs().trigger(7)).isEqualTo(5);
    }

    @Test
    void givesUpAfterThreeRounds() {
        one.then(503, "{\"code\":\"UNAVAILABLE\",\"detail\":\"the database does not answer\"}");
        two.then(503, "{\"code\":\"UNAVAILABLE\",\"detail\":\"the database does not answer\"}");

        assertThatThrownBy(() -> client.queues().list())
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        failed -> assertThat(failed.code()).isEqualTo("UNAVAILABLE"));
        assertThat(one.calls).hasSize(3);
        assertThat(two.calls).hasSize(3);
        assertThat(waits).containsExactly(Duration.ofMillis(200), Duration.ofMillis(400));
    }

    // --- answers that are none

    @ParameterizedTest
    @ValueSource(strings = {"<html><body>It works!</body></html>", "", "[]", "null", "{\"id\":", "{\"id\":\"x\"}"})
    void reportsResponsesThatAreNotFromAnAdmin(String answer) {
        one.then(201, answer);
        two.then(201, answer);

        assertThatThrownBy(() -> client.queues().push("emails", "hello"))
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        failed -> assertThat(failed.code()).isEqualTo(OrthClientException.UNREACHABLE));
    }

    @Test
    void skipsAdminBehindLoginPage() {
        one.then(200, "<html>Who are you?</html>");
        two.then(201, PUSHED);

        assertThat(client.queues().push("emails", "hello").id()).isEqualTo(17);
    }

    @Test
    void sendsNoTokenToRedirectTargets() {
        one.then(exchange -> {
            exchange.getResponseHeaders().set("Location", two.url() + "/api/queues");
            ScriptedAdmin.send(exchange, 302, "{}");
        });

        assertThatThrownBy(() -> client.queues().list())
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        failed -> assertThat(failed.status()).isEqualTo(302));
        assertThat(two.calls).isEmpty();
    }

    @Test
    void abortsEndlessResponse() {
        byte[] megabyte = " ".repeat(1024 * 1024).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        one.then(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            while (true) {
                exchange.getResponseBody().write(megabyte);
            }
        });
        two.then(200, "{\"items\":[]}");

        assertThat(client.queues().list()).isEmpty();
        assertThat(one.calls).hasSize(1);
    }

    @Test
    void asksNextAdminAfterTimeout() {
        CountDownLatch never = new CountDownLatch(1);
        one.then(exchange -> {
            // The headers come, and of the body nothing.
            exchange.sendResponseHeaders(200, 0);
            try {
                never.await();
            } catch (InterruptedException e) {
                exchange.close();
            }
        });
        two.then(200, "{\"items\":[]}");

        assertThat(client(Duration.ofMillis(300)).queues().list()).isEmpty();
    }

    @Test
    void passesRawSuccessfulResponsesToListener() {
        one.then(201, PUSHED).then(404, "{\"code\":\"NOT_FOUND\"}");
        List<String> heard = new ArrayList<>();
        OrthClient listening = OrthClient.builder()
                .admins(one.url())
                .token("secret")
                .onAnswer(heard::add)
                .build();

        listening.queues().push("emails", "hello");
        assertThatThrownBy(() -> listening.queues().get("emails")).isInstanceOf(OrthClientException.class);

        assertThat(heard).containsExactly(PUSHED);
    }

    // --- many

    @Test
    void splitsLargeBatchesIntoRequests() {
        one.then(exchange -> answerAll(exchange, 10_000)).then(exchange -> answerAll(exchange, 5));

        List<Pushed> pushed = client.queues().pushAll("emails", numbers(10_005));

        assertThat(pushed).hasSize(10_005);
        assertThat(one.calls).extracting(ScriptedAdmin.Call::path).containsOnly("/api/queues/emails/messages/bulk");
        assertThat(one.calls).extracting(ScriptedAdmin.Call::key).doesNotHaveDuplicates();
        assertThat(one.calls.get(1).body())
                .startsWith("{\"messages\":[{\"payload\":\"10000\"}")
                .endsWith("{\"payload\":\"10004\"}]}");
    }

    @Test
    void aPartThatFailsIsNamed() {
        one.then(exchange -> answerAll(exchange, 10_000))
                .then(403, "{\"code\":\"NOT_ALLOWED\",\"detail\":\"your role does not allow this\"}");

        PartialPushException failed = catchThrowableOfType(
                PartialPushException.class, () -> client.queues().pushAll("emails", numbers(25_000)));

        assertThat(failed.pushed()).hasSize(10_000);
        assertThat(failed.failedFrom()).isEqualTo(10_000);
        assertThat(failed.failedTo()).isEqualTo(20_000);
        assertThat(failed.code()).isEqualTo("NOT_ALLOWED");
        assertThat(one.calls).hasSize(2);
    }

    @Test
    void largeMessagesGoInSeveralRequests() {
        one.then(exchange -> answerAll(exchange, 2)).then(exchange -> answerAll(exchange, 1));

        client.queues().pushAll("emails", List.of("a".repeat(1_000_000), "b".repeat(1_000_000), "c".repeat(1_000_000)));

        assertThat(one.calls).hasSize(2);
    }

    /** Three bytes a character, two for a quote within quotes, six for a control character: what is sent is what counts. */
    @Test
    void keepsRequestsBelowTheAdminsSizeLimit() {
        for (String message : List.of("\u6c49".repeat(400_000), "\"".repeat(600_000), "\u0001".repeat(200_000))) {
            one.calls.clear();
            IntStream.range(0, 3).forEach(i -> one.then(exchange -> answerAll(exchange, 1)));

            client.queues().pushAll("emails", List.of(message, message, message));

            assertThat(one.calls).hasSize(3);
            assertThat(one.calls)
                    .allSatisfy(call -> assertThat(call.body().getBytes(StandardCharsets.UTF_8).length)
                            .isLessThan(3 * 1024 * 1024));
        }
    }

    @Test
    void allQueuesAreListedThoughTheyComeInPages() {
        one.then(200, "{\"items\":[],\"next\":\"b c\"}").then(200, "{\"items\":[],\"next\":null}");

        assertThat(client.queues().list()).isEmpty();

        assertThat(one.calls)
                .extracting(ScriptedAdmin.Call::path)
                .containsExactly("/api/queues", "/api/queues?after=b+c");
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private static void answerAll(com.sun.net.httpserver.HttpExchange exchange, int count) throws IOException {
        String items = String.join(",", java.util.Collections.nCopies(count, "{\"id\":\"1\",\"duplicate\":false}"));
        ScriptedAdmin.send(exchange, 201, "{\"items\":[" + items + "]}");
    }
}
