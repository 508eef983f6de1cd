package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orth.client.Backoff;
import io.orth.client.Lane;
import io.orth.client.Message;
import io.orth.client.MessageInfo;
import io.orth.client.OrthClient;
import io.orth.client.OrthClientException;
import io.orth.client.Pushed;
import io.orth.client.QueueInfo;
import io.orth.client.TransactionalQueues;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.core.env.Environment;

/** The client that applications use, against a real admin. */
@Tag("must-queues")
class OrthClientDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String queue = "client-" + UUID.randomUUID();
    private OrthClient client;

    record Letter(String to, Instant at) {}

    @BeforeEach
    void setUp() {
        client = client(admin.url().toString());
    }

    private static OrthClient client(String... admins) {
        return OrthClient.builder()
                .admins(admins)
                .token(admin.apiToken())
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    @Test
    void aRecordIsPushedAndFoundAgain() {
        Pushed pushed = client.queues().push(queue, new Letter("ann", Instant.parse("2030-01-31T12:00:00Z")));

        MessageInfo message = client.queues().message(queue, pushed.id());
        assertThat(message.payload()).isEqualTo("{\"to\":\"ann\",\"at\":\"2030-01-31T12:00:00Z\"}");
        assertThat(message.status()).isEqualTo("WAITING");
        assertThat(client.queues().messages(queue, "WAITING", 10, null).items())
                .extracting(MessageInfo::id)
                .containsExactly(pushed.id());
        assertThat(client.queues().get(queue).waiting()).isEqualTo(1);
        assertThat(client.queues().list()).extracting(QueueInfo::name).contains(queue);
    }

    /** A stricter admin would reject this. */
    @Test
    void adminAcceptsEverythingTheClientAccepts() {
        Map<String, String> metadata = new HashMap<>();
        IntStream.range(0, 50).forEach(i -> metadata.put("n".repeat(98) + i / 10 + i % 10, "v".repeat(1_000)));
        metadata.replaceAll((name, value) -> name.endsWith("00") ? "" : value);

        Pushed pushed = client.queues()
                .push(
                        queue,
                        Message.of("ä".repeat(131_072))
                                .lane(Lane.LOW)
                                .delay(Duration.ofDays(366))
                                .uniqueKey("u".repeat(200), Duration.ofDays(366))
                                .groupKey("g".repeat(200))
                                .maxAttempts(100)
                                .backoff(new Backoff(Duration.ofDays(30), 100, Duration.ofDays(30)))
                                .traceId("t".repeat(100))
                                .metadata(metadata));

        MessageInfo message = client.queues().message(queue, pushed.id());
        assertThat(message.lane()).isEqualTo("LOW");
        assertThat(message.maxAttempts()).isEqualTo(100);
        assertThat(message.metadata()).isEqualTo(metadata);
        assertThat(message.traceId()).hasSize(100);
        assertThat(client.queues().push(queue, Message.of("x").uniqueKey("u".repeat(200))))
                .isEqualTo(new Pushed(pushed.id(), true));
    }

    @Test
    void manyArePushedInTheirOrder() {
        List<Pushed> pushed = client.queues()
                .pushAll(queue, IntStream.range(0, 12_000).boxed().toList());

        assertThat(pushed).hasSize(12_000).isSortedAccordingTo((a, b) -> Long.compare(a.id(), b.id()));
        assertThat(client.queues().message(queue, pushed.get(11_999).id()).payload())
                .isEqualTo("11999");
        assertThat(client.queues().get(queue).waiting()).isEqualTo(12_000);
    }

    @Test
    void queuesArePausedAndResumed() {
        client.queues().push(queue, "hello");

        assertThat(client.queues().pause(queue).paused()).isTrue();
        assertThat(client.queues().resume(queue).paused()).isFalse();
        assertThat(client.queues().retry(queue, List.of(1L))).isZero();
        assertThat(client.queues().discard(queue, List.of(1L))).isZero();
    }

    @Test
    void rejectionsAreThrownWithTheirCode() {
        assertThatThrownBy(() -> client.queues().get(queue))
                .isInstanceOfSatisfying(OrthClientException.class, refused -> {
                    assertThat(refused.status()).isEqualTo(404);
                    assertThat(refused.code()).isEqualTo("NOT_FOUND");
                    assertThat(refused.traceId()).isNotBlank();
                });
        assertThatThrownBy(() -> client.queues().push(queue, "x".repeat(300_000)))
                .isInstanceOfSatisfying(OrthClientException.class, refused -> {
                    assertThat(refused.code()).isEqualTo("INVALID_INPUT");
                    assertThat(refused.fields())
                            .extracting(OrthClientException.FieldError::field)
                            .containsExactly("messages[0].payload");
                });
        OrthClient stranger = OrthClient.builder()
                .admins(admin.url().toString())
                .token("orth_nobody")
                .build();
        assertThatThrownBy(() -> stranger.queues().list())
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        refused -> assertThat(refused.code()).isEqualTo("NOT_AUTHENTICATED"));
    }

    @Test
    void jobsAndRunsAreRead() {
        assertThat(client.jobs().list("no such job " + queue, 5, null).items()).isEmpty();
        assertThat(client.runs().list(null, "SUCCESS", 5, null)).isNotNull();
        assertThatThrownBy(() -> client.jobs().trigger(999_999_999))
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        refused -> assertThat(refused.code()).isEqualTo("NOT_FOUND"));
        assertThatThrownBy(() -> client.runs().get(1)).isInstanceOf(OrthClientException.class);
        assertThatThrownBy(() -> client.runs().log(1, 0)).isInstanceOf(OrthClientException.class);
    }

    /** The admin has committed, and the client never hears of it. */
    @Test
    void pushesOnceDespiteLostReply() throws IOException {
        AtomicInteger passed = new AtomicInteger();
        HttpServer lossy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        lossy.createContext("/", exchange -> {
            assertThat(forward(exchange)).isEqualTo(201);
            passed.incrementAndGet();
            exchange.close();
        });
        lossy.start();
        try {
            OrthClient unlucky = client(
                    "http://127.0.0.1:" + lossy.getAddress().getPort(),
                    admin.url().toString());

            Pushed one = unlucky.queues().push(queue, "one");
            List<Pushed> many = unlucky.queues().pushAll(queue, List.of("two", "three"));

            assertThat(client.queues().messages(queue, "WAITING", 10, null).items())
                    .extracting(MessageInfo::id)
                    .containsExactly(one.id(), many.get(0).id(), many.get(1).id());
            assertThat(passed.get()).isEqualTo(1);
        } finally {
            lossy.stop(0);
        }
    }

    @Test
    void pushOnceIsIdempotentPerKey() {
        Pushed first = client.queues().pushOnce("order-17:" + queue, queue, "hello");

        assertThat(client.queues().pushOnce("order-17:" + queue, queue, "hello"))
                .isEqualTo(first);
        assertThatThrownBy(() -> client.queues().pushOnce("order-17:" + queue, queue + "x", "hello"))
                .isInstanceOfSatisfying(
                        OrthClientException.class,
                        refused -> assertThat(refused.code()).isEqualTo("CONFLICT"));
        assertThat(admin.api()
                        .header("Idempotency-Key", "no key")
                        .post("/api/queues/" + queue + "/messages", "{\"payload\":\"x\"}")
                        .status())
                .isEqualTo(400);
    }

    // --- in a transaction

    @Test
    void transactionalPushArrivesSoonAfterCommit() throws Exception {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            client.queues().in(connection).push(queue, new Letter("ann", Instant.EPOCH));
            connection.commit();
        }

        Awaitility.await()
                .ignoreExceptionsInstanceOf(OrthClientException.class)
                .untilAsserted(() -> assertThat(client.queues()
                                .messages(queue, "WAITING", 10, null)
                                .items())
                        .extracting(MessageInfo::payload)
                        .containsExactly("{\"to\":\"ann\",\"at\":\"1970-01-01T00:00:00Z\"}"));
    }

    @Test
    void operatorsRetryOrDiscardParkedPushes() throws Exception {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            TransactionalQueues.in(connection).push(queue, "x".repeat(300_000));
            connection.commit();
        }
        String id = Awaitility.await().until(this::parked, found -> found != null);

        SecuredClient api = admin.api();
        assertThat(api.post("/api/queue-inbox/" + id + "/retry", "")
                        .json()
                        .path("error")
                        .asString())
                .isEqualTo("messages[0].payload must have at most 262144 bytes");
        Awaitility.await().until(() -> id.equals(parked()));
        assertThat(api.post("/api/queue-inbox/" + id + "/discard", "").status()).isEqualTo(200);

        assertThat(parked()).isNull();
        assertThat(api.post("/api/queue-inbox/" + id + "/discard", "").status()).isEqualTo(404);
        Awaitility.await()
                .untilAsserted(() -> assertThat(api.get("/api/logs/archive?queue=" + queue)
                                .json()
                                .toString())
                        .contains("are parked"));
    }

    /** Of this test's queue. */
    private String parked() {
        for (var item : admin.api().get("/api/queue-inbox?limit=500").json().path("items")) {
            if (item.path("queue").asString().equals(queue)) {
                return item.path("id").asString();
            }
        }
        return null;
    }

    private static Connection connect() throws Exception {
        Environment settings = admin.context().getEnvironment();
        return DriverManager.getConnection(
                settings.getProperty("orth.database.url"),
                settings.getProperty("orth.database.user"),
                settings.getProperty("orth.database.password"));
    }

    private static int forward(HttpExchange exchange) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(
                        admin.url().resolve(exchange.getRequestURI().toString()))
                .header("Authorization", exchange.getRequestHeaders().getFirst("Authorization"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", exchange.getRequestHeaders().getFirst("Idempotency-Key"))
                .POST(BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.discarding())
                    .statusCode();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
