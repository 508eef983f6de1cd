package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.MessageResult;
import io.orth.protocol.NewMessage;
import io.orth.protocol.PushRequest;
import io.orth.protocol.Registration;
import io.orth.protocol.WireMessage;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import io.orth.testkit.FakeExecutor;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Queues as producers, operators and executors call them, with valid and hostile requests. */
@Tag("must-queues")
class QueuesApiDbTest {

    private static final String WORK = "/api/orth/queues/work";
    private static final String PUSH = "/api/orth/queues/push";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String groupName = "q-" + UUID.randomUUID();
    private final String queue = "emails-" + UUID.randomUUID();
    private final String path = "/api/queues/" + queue;
    private final String instance = UUID.randomUUID().toString();
    private SecuredClient api;
    private String token;

    @BeforeEach
    void setUp() {
        api = admin.api();
        token = tokenOf(groupId(groupName));
        wire("/api/registry", registration());
    }

    @AfterEach
    void leave() {
        wire("/api/registryRemove", registration());
    }

    // --- from push to done

    @Test
    void pushesClaimsAndCompletesMessage() {
        Answer pushed = api.post(path + "/messages", """
                {"payload":{"to":"ann"},"lane":"HIGH","metadata":{"tenant":"acme"},"maxAttempts":5}
                """);
        assertThat(pushed.status()).isEqualTo(201);
        String id = pushed.json().path("id").asString();

        ClaimedMessage claimed = work(1).messages().get(0);
        assertThat(claimed.payload()).isEqualTo("{\"to\":\"ann\"}");
        assertThat(claimed.metadata()).containsEntry("tenant", "acme");
        assertThat(claimed.traceId())
                .isEqualTo(pushed.headers().firstValue("Trace-Id").orElseThrow());
        assertThat(message(id).path("status").asString()).isEqualTo("RUNNING");

        report(new MessageResult(claimed.id(), claimed.logId(), 200, "sent", false, null, 7));

        JsonNode done = message(id);
        assertThat(done.path("status").asString()).isEqualTo("DONE");
        assertThat(done.path("result").asString()).isEqualTo("sent");
        assertThat(toldOf(id)).containsExactly("WAITING", "RUNNING", "DONE");
        assertThat(api.get(path + "/messages?status=DONE").json().path("items").findValuesAsString("id"))
                .containsExactly(id);
    }

    @Test
    void showsFullHistoryOfAMessage() {
        String id = api.post(path + "/messages", "{\"payload\":\"hello\",\"maxAttempts\":2}")
                .json()
                .path("id")
                .asString();

        report(resultOf(work(1), 500, 0L));
        assertThat(toldOf(id)).containsExactly("WAITING", "RUNNING", "WAITING");
        report(resultOf(work(1), 500, 0L));
        assertThat(toldOf(id)).containsExactly("WAITING", "RUNNING", "WAITING", "RUNNING", "DEAD");
        api.post(path + "/messages/" + id + "/retry", "{}");
        report(resultOf(work(1), 200, null));

        assertThat(message(id).path("status").asString()).isEqualTo("DONE");
        assertThat(toldOf(id))
                .containsExactly("WAITING", "RUNNING", "WAITING", "RUNNING", "DEAD", "WAITING", "RUNNING", "DONE");
    }

    private List<String> toldOf(String id) {
        return api.get(path + "/messages/" + id + "/transitions")
                .json()
                .path("items")
                .findValuesAsString("to");
    }

    private static MessageResult resultOf(WorkReply given, int code, Long retryAfterMillis) {
        ClaimedMessage message = given.messages().get(0);
        return new MessageResult(message.id(), message.logId(), code, "said", false, retryAfterMillis, 7);
    }

    @Test
    @Tag("must-first")
    void rejectsAResultWithoutTheLogIdOfItsClaim() {
        api.post(path + "/messages", "{\"payload\":\"hello\"}");
        ClaimedMessage claimed = work(1).messages().get(0);

        JsonNode answer = admin.executor(token)
                .post(WORK, """
                        {"instanceId":"%s","queue":"%s","claim":"c","results":[{"id":%d,"attempt":1,"code":200}]}
                        """.formatted(instance, queue, claimed.id()))
                .json();

        assertThat(answer.path("code").asInt()).isEqualTo(500);
        assertThat(answer.path("msg").asString()).contains("'logId' is missing");
        assertThat(message(Long.toString(claimed.id())).path("status").asString())
                .isEqualTo("RUNNING");
    }

    @Test
    @Tag("must-first")
    void listsRevokedMessagesUntilReturnedExecutorAcknowledges() {
        api.post(path + "/messages", "{\"payload\":\"hello\"}");
        ClaimedMessage claimed = work(1).messages().get(0);
        wire("/api/registryRemove", registration());
        Awaitility.await()
                .atMost(30, TimeUnit.SECONDS)
                .until(() -> message(Long.toString(claimed.id())).path("status").asString(), "WAITING"::equals);

        JsonNode waiting = message(Long.toString(claimed.id()));
        assertThat(Instant.parse(waiting.path("dueAt").asString()))
                .as("as long as lost runs wait")
                .isEqualTo(Instant.parse(waiting.path("statusAt").asString()).plusSeconds(30));

        List<String> first = revoked(List.of());
        List<String> repeated = revoked(List.of());
        List<String> acknowledged = revoked(List.of(claimed.logId()));
        List<String> later = revoked(List.of());

        assertThat(first).containsExactly(Long.toString(claimed.logId()));
        assertThat(repeated).isEqualTo(first);
        assertThat(acknowledged).isEmpty();
        assertThat(later).isEmpty();
        assertThat(work(new MessageResult(claimed.id(), claimed.logId(), 200, "late", false, null, 7))
                        .refused())
                .containsExactly(claimed.id());
    }

    /** The revocations in the reply to a heartbeat that acknowledges these. */
    private List<String> revoked(List<Long> acknowledged) {
        Registration registration = registration();
        Registration heartbeat = new Registration(
                registration.group(),
                registration.address(),
                registration.instance().acknowledging(acknowledged));
        List<String> listed = new ArrayList<>();
        wire("/api/registry", heartbeat).json().path("revoked").forEach(id -> listed.add(id.asString()));
        return listed;
    }

    @Test
    void pollWaitsUntilMessageArrives() throws Exception {
        CompletableFuture<WorkReply> waiting = askAndWait();

        api.post(path + "/messages", "{\"payload\":\"hello\"}");

        assertThat(waiting.get(10, TimeUnit.SECONDS).messages())
                .extracting(ClaimedMessage::payload)
                .containsExactly("hello");
    }

    @Test
    void pollReceivesDelayedMessageOnceDue() throws Exception {
        CompletableFuture<WorkReply> waiting = askAndWait();

        api.post(path + "/messages", "{\"payload\":\"later\",\"delay\":\"PT0.3S\"}");

        assertThat(waiting.get(10, TimeUnit.SECONDS).messages())
                .extracting(ClaimedMessage::payload)
                .containsExactly("later");
    }

    @Test
    void delayedReplyEqualsImmediateReply() throws Exception {
        Answer now = wire(WORK, request(1, 0));
        CompletableFuture<Answer> waiting = askAndWaitForTheAnswer();
        double measured = measured();

        api.post(path + "/messages", "{\"payload\":\"hello\"}");

        Answer late = waiting.get(10, TimeUnit.SECONDS);
        assertThat(late.status()).isEqualTo(200);
        assertThat(late.headers().map().keySet())
                .containsAll(now.headers().map().keySet())
                .contains("trace-id", "x-content-type-options");
        assertThat(late.headers().firstValue("content-type"))
                .isEqualTo(now.headers().firstValue("content-type"));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> measured() > measured);
    }

    /** How many calls of executors for work were measured. */
    private double measured() {
        return api.get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("http_server_requests_seconds_count") && line.contains(WORK))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** A response larger than a connection accepts in one write. */
    @Test
    void delayedReplyMayBeLong() throws Exception {
        String payload = "x".repeat(200_000);
        CompletableFuture<WorkReply> waiting = askAndWait();

        api.post(path + "/messages", "{\"payload\":\"%s\"}".formatted(payload));

        assertThat(waiting.get(10, TimeUnit.SECONDS).messages())
                .extracting(ClaimedMessage::payload)
                .containsExactly(payload);
    }

    private CompletableFuture<WorkReply> askAndWait() {
        return askAndWaitForTheAnswer().thenApply(QueuesApiDbTest::workReply);
    }

    /** Comes back when the question has reached the admin and found nothing. */
    private CompletableFuture<Answer> askAndWaitForTheAnswer() {
        wire(WORK, request(1, 0));
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> wire(WORK, request(3, 20_000)));
        Awaitility.await()
                .atMost(20, TimeUnit.SECONDS)
                .until(() -> admin.context()
                        .getBean(JdbcClient.class)
                        .sql(
                                "select slots from orth_queue_worker w join orth_queue q on q.id = w.queue_id where q.name = :name")
                        .param("name", queue)
                        .query(Integer.class)
                        .list()
                        .contains(3));
        assertThat(waiting).isNotDone();
        return waiting;
    }

    @Test
    void pollOfEmptyQueueReturnsNothing() {
        assertThat(work(1).messages()).isEmpty();
        assertThat(workReply(wire(WORK, request(1, 50))).messages()).isEmpty();
    }

    @Test
    void executorsPushToo() {
        Answer answer = wire(PUSH, PushRequest.of(queue, List.of(NewMessage.of("a"), NewMessage.of("b"))));

        assertThat(answer.json().path("code").asInt()).isEqualTo(200);
        assertThat(answer.json().path("content").path("messages")).hasSize(2);
        assertThat(work(5).messages()).extracting(ClaimedMessage::payload).containsExactly("a", "b");
    }

    @Test
    @Tag("must-first")
    void addsNothingWhenAnExecutorRepeatsItsPush() {
        PushRequest push = PushRequest.of(queue, List.of(NewMessage.of("a")));

        Answer first = wire(PUSH, push);
        Answer again = wire(PUSH, push);
        Answer other = wire(PUSH, PushRequest.of(queue, List.of(NewMessage.of("b"))));

        assertThat(first.json().path("code").asInt()).isEqualTo(200);
        assertThat(again.json()).isEqualTo(first.json());
        assertThat(other.json().path("code").asInt()).isEqualTo(200);
        assertThat(work(5).messages()).extracting(ClaimedMessage::payload).containsExactly("a", "b");
    }

    @Test
    @Tag("must-first")
    void rejectsAPushOfAnExecutorWithoutAnIdempotencyKey() {
        JsonNode missing = admin.executor(token)
                .post(PUSH, "{\"queue\":\"%s\",\"messages\":[{\"payload\":\"a\"}]}".formatted(queue))
                .json();
        JsonNode bad = wire(PUSH, new PushRequest(queue, "no key", List.of(NewMessage.of("a"))))
                .json();

        assertThat(missing.path("code").asInt()).isEqualTo(500);
        assertThat(missing.path("msg").asString()).contains("'idempotencyKey' is missing");
        assertThat(bad.path("code").asInt()).isEqualTo(500);
        assertThat(bad.path("msg").asString()).contains("idempotencyKey");
        assertThat(work(5).messages()).isEmpty();
    }

    @Test
    void pushesBatchCompletelyOrNotAtAll() {
        Answer pushed = api.post(path + "/messages/bulk", """
                {"messages":[{"payload":"a","uniqueKey":"k"},{"payload":"b","uniqueKey":"k"},{"payload":"c"}]}
                """);
        assertThat(pushed.json().path("items").findValuesAsString("duplicate"))
                .containsExactly("false", "true", "false");

        Answer refused = api.post(path + "/messages/bulk", """
                {"messages":[{"payload":"d"},{"payload":"e","lane":"URGENT"}]}
                """);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("messages[1].lane").contains("CRITICAL, HIGH, DEFAULT, LOW");
        assertThat(work(10).messages()).extracting(ClaimedMessage::payload).containsExactly("a", "c");
    }

    @Test
    void rejectsBatchOverTenThousand() {
        String one = "{\"payload\":\"x\"}";
        Answer refused = api.post(path + "/messages/bulk", "{\"messages\":[" + (one + ",").repeat(10_000) + one + "]}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("must be at most 10000");
        assertThat(api.get(path).status()).as("not even its queue was made").isEqualTo(404);
        assertThat(api.post(path + "/messages/bulk", "{\"messages\":[" + (one + ",").repeat(9_999) + one + "]}")
                        .status())
                .isEqualTo(201);
    }

    // --- killing what runs

    @Test
    void killedAttemptCountsAsFailed() {
        api.post(path + "/messages", "{\"payload\":\"slow\",\"maxAttempts\":2}");
        try (FakeExecutor executor = new FakeExecutor(instance)) {
            wire("/api/registry", registrationAt(executor.address()));
            ClaimedMessage claimed = work(1).messages().get(0);
            executor.knows(claimed.logId());

            JsonNode killed = api.post(path + "/messages/%d/kill".formatted(claimed.id()), "{\"reason\":\"stuck\"}")
                    .json();

            assertThat(killed.path("outcome").asString()).isEqualTo("ENDING");
            assertThat(executor.kills())
                    .singleElement()
                    .satisfies(kill -> assertThat(kill.logIds()).containsExactly(claimed.logId()));
            String words = executor.kills().get(0).reason();
            assertThat(words).startsWith("killed by ").endsWith(": stuck");
            report(new MessageResult(
                    claimed.id(), claimed.logId(), 500, words + " [job running, killed]", false, null, 7));

            JsonNode message = message(Long.toString(claimed.id()));
            assertThat(message.path("status").asString()).isEqualTo("WAITING");
            assertThat(message.path("failures").path(0).path("error").asString())
                    .startsWith(words);
            assertThat(api.get("/api/audit?q=message%20" + claimed.id())
                            .json()
                            .path("items")
                            .path(0)
                            .path("detail")
                            .asString())
                    .isEqualTo("ENDING: stuck");
            assertThat(api.post(path + "/messages/%d/kill".formatted(claimed.id()), null)
                            .json()
                            .path("outcome")
                            .asString())
                    .isEqualTo("OVER");
        }
    }

    @Test
    void killsMessageThatItsExecutorCanNoLongerReceive() {
        api.post(path + "/messages", "{\"payload\":\"lost\",\"maxAttempts\":1}");
        try (FakeExecutor executor = new FakeExecutor(instance)) {
            wire("/api/registry", registrationAt(executor.address()));
            ClaimedMessage claimed = work(1).messages().get(0);
            String kill = path + "/messages/%d/kill".formatted(claimed.id());

            JsonNode young = api.post(kill, null).json();
            assertThat(young.path("outcome").asString()).isEqualTo("ENDING");
            assertThat(young.path("detail").asString()).contains("on its way");
            admin.context()
                    .getBean(JdbcClient.class)
                    .sql("update orth_message set status_at = status_at - interval '2 minutes' where id = :id")
                    .param("id", claimed.id())
                    .update();

            JsonNode old = api.post(kill, "{\"reason\":\"stuck\"}").json();

            assertThat(old.path("outcome").asString()).isEqualTo("ENDED");
            assertThat(old.path("status").asString()).isEqualTo("DEAD");
            assertThat(message(Long.toString(claimed.id())).path("error").asString())
                    .startsWith("killed by ")
                    .endsWith(": stuck");
            assertThat(work(new MessageResult(claimed.id(), claimed.logId(), 200, null, false, null, 7))
                            .refused())
                    .containsExactly(claimed.id());
        }
    }

    @Test
    @Tag("must-first")
    void killOfFinishedAttemptTakesItsResult() {
        api.post(path + "/messages", "{\"payload\":\"done\"}");
        try (FakeExecutor executor = new FakeExecutor(instance)) {
            wire("/api/registry", registrationAt(executor.address()));
            ClaimedMessage claimed = work(1).messages().get(0);
            String kill = path + "/messages/%d/kill".formatted(claimed.id());

            executor.finishedUnsent(claimed.logId(), 200);
            JsonNode early = api.post(kill, null).json();
            assertThat(early.path("outcome").asString()).isEqualTo("ENDING");
            assertThat(early.path("detail").asString()).contains("its result is on its way");
            executor.finished(claimed.logId(), 200, null);

            JsonNode killed = api.post(kill, null).json();

            assertThat(killed.path("outcome").asString()).isEqualTo("ENDED");
            assertThat(killed.path("status").asString()).isEqualTo("DONE");
        }
    }

    @Test
    void reportsUnreachableExecutorOnKill() {
        api.post(path + "/messages", "{\"payload\":\"slow\"}");
        try (FakeExecutor executor = new FakeExecutor(instance)) {
            wire("/api/registry", registrationAt(executor.address()));
            ClaimedMessage claimed = work(1).messages().get(0);
            executor.dropKills(true);

            Answer answer = api.post(path + "/messages/%d/kill".formatted(claimed.id()), null);

            assertThat(answer.code()).isEqualTo("EXECUTOR_UNREACHABLE");
            assertThat(message(Long.toString(claimed.id())).path("status").asString())
                    .isEqualTo("RUNNING");
        }
        assertThat(api.post(path + "/messages/4711/kill", null).code()).isEqualTo("NOT_FOUND");
        assertThat(api.post(path + "/messages/x/kill", null).code()).isEqualTo("INVALID_INPUT");
    }

    // --- controls and figures

    @Test
    void aQueueIsDeletedWhenItIsEmpty() {
        String id = api.post(path + "/messages", "{\"payload\":\"a\"}")
                .json()
                .path("id")
                .asString();
        assertThat(api.delete(path).code()).isEqualTo("CONFLICT");
        api.post(path + "/messages/" + id + "/discard", null);

        assertThat(api.delete(path).status()).isEqualTo(204);

        assertThat(api.get(path).code()).isEqualTo("NOT_FOUND");
        assertThat(api.delete(path).code()).isEqualTo("NOT_FOUND");
    }

    @Test
    void listsQueuesPagedAndByNamePart() {
        List.of("-1", "-2", "-3").forEach(end -> api.put(path + end, "{}"));
        String part = queue.toUpperCase(Locale.ROOT);

        JsonNode first = api.get("/api/queues?limit=2&q=" + part).json();
        JsonNode rest = api.get("/api/queues?limit=2&q=" + part + "&after="
                        + first.path("next").asString())
                .json();

        assertThat(first.path("items").findValuesAsString("name")).containsExactly(queue + "-1", queue + "-2");
        assertThat(rest.path("items").findValuesAsString("name")).containsExactly(queue + "-3");
        assertThat(rest.path("next").isNull()).isTrue();
        assertThat(api.get("/api/queues?limit=501").code()).isEqualTo("INVALID_INPUT");
    }

    @Test
    void reportsThroughputPerMinute() {
        api.post(path + "/messages/bulk", "{\"messages\":[{\"payload\":\"a\"},{\"payload\":\"b\"}]}");
        ClaimedMessage claimed = work(1).messages().get(0);
        report(new MessageResult(claimed.id(), claimed.logId(), 200, null, false, null, 40));

        JsonNode told = api.get(path + "/throughput?minutes=5").json();

        assertThat(told.path("items").findValues("pushed").stream()
                        .mapToInt(JsonNode::asInt)
                        .sum())
                .isEqualTo(2);
        assertThat(told.path("items").findValues("done").stream()
                        .mapToInt(JsonNode::asInt)
                        .sum())
                .isEqualTo(1);
        assertThat(told.path("items").findValuesAsString("runMillis")).contains("40");
        assertThat(api.get(path + "/throughput").status()).isEqualTo(200);
        assertThat(api.get(path + "/throughput?minutes=0").code()).isEqualTo("INVALID_INPUT");
        assertThat(api.get(path + "/throughput?minutes=1441").code()).isEqualTo("INVALID_INPUT");
        assertThat(api.get(path + "-none/throughput").code()).isEqualTo("NOT_FOUND");
    }

    @Test
    void aQueueIsPausedAndResumed() {
        api.post(path + "/messages", "{\"payload\":\"a\",\"lane\":\"CRITICAL\"}");
        assertThat(api.post(path + "/pause", null).json().path("paused").asBoolean())
                .isTrue();
        assertThat(work(5).messages()).isEmpty();

        assertThat(api.post(path + "/resume", null).json().path("paused").asBoolean())
                .isFalse();
        assertThat(work(5).messages()).hasSize(1);
    }

    @Test
    void showsQueueStatistics() {
        api.post(path + "/messages/bulk", """
                {"messages":[{"payload":"a"},{"payload":"b"},{"payload":"c","maxAttempts":1},{"payload":"d"}]}
                """);
        List<ClaimedMessage> claimed = work(3).messages();
        report(
                new MessageResult(claimed.get(0).id(), claimed.get(0).logId(), 200, null, false, null, 40),
                new MessageResult(claimed.get(2).id(), claimed.get(2).logId(), 500, "no", false, null, 20));

        JsonNode figures = api.get(path).json();

        assertThat(figures.path("waiting").asInt()).isEqualTo(1);
        assertThat(figures.path("running").asInt()).isEqualTo(1);
        assertThat(figures.path("dead").asInt()).isEqualTo(1);
        assertThat(figures.path("workers").asInt()).isEqualTo(1);
        assertThat(figures.path("groupName").asString()).isEqualTo(groupName);
        JsonNode lately = figures.path("lately");
        assertThat(lately.path("pushed").asInt()).isEqualTo(4);
        assertThat(lately.path("claimed").asInt()).isEqualTo(3);
        assertThat(lately.path("done").asInt()).isEqualTo(1);
        assertThat(lately.path("failed").asInt()).isEqualTo(1);
        assertThat(lately.path("runMillis").asInt()).isEqualTo(30);
        assertThat(api.get("/api/queues").json().path("items").findValuesAsString("name"))
                .contains(queue);
    }

    @Test
    void aQueueIsSetUp() {
        Answer answer = api.put(path, """
                {"maxAttempts":7,"backoff":{"initialDelay":"PT5S","multiplier":1.5,"maxDelay":"PT1M","jitter":0.1},"rateLimit":10,"concurrencyLimit":2}
                """);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("maxAttempts").asInt()).isEqualTo(7);
        assertThat(answer.json().path("backoff").path("initialDelay").asString())
                .isEqualTo("PT5S");
        assertThat(answer.json().path("rateLimit").asInt()).isEqualTo(10);
        assertThat(api.put(path, "{\"version\":1}").status()).isEqualTo(412);
    }

    // --- dead messages

    @Test
    void retriesDeadMessageWithAnotherPayload() {
        String id = dead("{\"to\":\"nobody\"}");
        JsonNode listed =
                api.get(path + "/messages?status=DEAD").json().path("items").get(0);
        assertThat(listed.path("error").asString()).isEqualTo("java.io.IOException: no such address");
        assertThat(listed.path("stack").isNull()).isTrue();
        JsonNode whole = message(id);
        assertThat(whole.path("stack").asString()).contains("Mailer");
        assertThat(whole.path("failures").get(0).path("attempt").asInt()).isEqualTo(1);
        assertThat(whole.path("failures").get(0).path("logId").isString()).isTrue();

        Answer retried = api.post(path + "/messages/" + id + "/retry", "{\"payload\":\"{}\"}");

        assertThat(retried.json().path("status").asString()).isEqualTo("WAITING");
        assertThat(work(1).messages()).extracting(ClaimedMessage::payload).containsExactly("{}");
        assertThat(api.post(path + "/messages/" + id + "/retry", null).status()).isEqualTo(409);
    }

    @Test
    void retriesAndDiscardsSeveralMessages() {
        String first = dead("a");
        String second = dead("b");
        String third = dead("c");

        assertThat(api.post(path + "/messages/retry", "{\"ids\":[\"%s\",\"%s\",\"1\"]}".formatted(first, second))
                        .json()
                        .path("count")
                        .asInt())
                .isEqualTo(2);
        assertThat(api.post(path + "/messages/discard", "{\"ids\":[\"%s\",\"%s\"]}".formatted(first, third))
                        .json()
                        .path("count")
                        .asInt())
                .isEqualTo(1);
        assertThat(message(third).path("status").asString()).isEqualTo("DISCARDED");
        assertThat(api.post(path + "/messages/" + first + "/discard", null)
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("DISCARDED");
    }

    @Test
    void eachAttemptHasALogOfItsOwn() {
        try (FakeExecutor executor = new FakeExecutor("e-" + UUID.randomUUID())) {
            executor.log("dear ann\n");
            wire(
                    "/api/registry",
                    new Registration(
                            groupName,
                            executor.address(),
                            new Registration.Instance(executor.instanceId(), "host", 7, "test", true)
                                    .inZone("Asia/Kolkata")));
            String id = api.post(path + "/messages", "{\"payload\":\"a\"}")
                    .json()
                    .path("id")
                    .asString();
            assertThat(api.get(path + "/messages/" + id + "/log").status()).isEqualTo(404);
            ClaimedMessage first = claim(executor.instanceId());
            wire(
                    WORK,
                    new WorkRequest(
                            executor.instanceId(),
                            queue,
                            0,
                            "r",
                            0,
                            0,
                            0,
                            0,
                            0,
                            List.of(new MessageResult(first.id(), first.logId(), 500, "busy", false, 0L, 1))));
            ClaimedMessage second = claim(executor.instanceId());

            JsonNode last = api.get(path + "/messages/" + id + "/log").json();
            JsonNode earlier = api.get(path + "/messages/" + id + "/log?from=5&logId=" + first.logId())
                    .json();

            assertThat(last.path("logId").asString()).isEqualTo(Long.toString(second.logId()));
            assertThat(last.path("text").asString()).isEqualTo("dear ann\n");
            assertThat(last.path("zone").asString()).isEqualTo("Asia/Kolkata");
            assertThat(last.path("end").asBoolean()).isFalse();
            assertThat(earlier.path("text").asString()).isEqualTo("ann\n");
            assertThat(earlier.path("end").asBoolean()).isTrue();
            assertThat(api.get(path + "/messages/" + id + "/log?logId=1").status())
                    .isEqualTo(404);
            assertThat(api.get(path + "/messages/" + id + "/log?limit=0").status())
                    .isEqualTo(400);
            wire(
                    "/api/registryRemove",
                    new Registration(
                            groupName,
                            executor.address(),
                            new Registration.Instance(executor.instanceId(), "host", 7, "test", true)));
        }
    }

    private ClaimedMessage claim(String worker) {
        return workReply(wire(
                        WORK,
                        new WorkRequest(worker, queue, 0, UUID.randomUUID().toString(), 0, 0, 1, 0, 5_000, List.of())))
                .messages()
                .get(0);
    }

    // --- audit

    @Test
    void auditsOnlyRejectedPushesOfPrograms() {
        api.post(path + "/messages", "{\"payload\":\"x\"}");
        assertThat(pushesAudited()).isEmpty();

        api.post(path + "/messages", "{\"payload\":\"x\",\"lane\":\"slow\"}");
        admin.anonymous().post(path + "/messages/bulk", "{\"messages\":[{\"payload\":\"x\"}]}");
        assertThat(pushesAudited()).containsExactly(400, 401);
    }

    @Test
    void auditsPushesOfUsers() {
        String password = "calm harbour 31";
        String account = "{\"name\":\"erin\",\"password\":\"%s\",\"role\":\"OPERATOR\"}".formatted(password);
        assertThat(api.post("/api/users", account).status()).isEqualTo(201);
        SecuredClient erin = admin.anonymous();
        erin.get("/api/setup");
        assertThat(erin.login("erin", password).status()).isEqualTo(200);

        assertThat(erin.post(path + "/messages", "{\"payload\":\"x\"}").status())
                .isEqualTo(201);

        assertThat(pushesAudited()).containsExactly(201);
    }

    private List<Integer> pushesAudited() {
        return admin.jdbc()
                .sql(
                        "select outcome from orth_audit where object like :object and action like 'POST %/messages%' order by id")
                .param("object", "%" + queue + "%")
                .query(Integer.class)
                .list();
    }

    // --- bad input

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|payload",
                "{\"payload\":null}|payload",
                "{\"payload\":\"a\",\"lane\":\"low\"}|lane",
                "{\"payload\":\"a\",\"delay\":\"soon\"}|delay",
                "{\"payload\":\"a\",\"delay\":\"-PT1S\"}|delay",
                "{\"payload\":\"a\",\"delay\":\"P400D\"}|delay",
                "{\"payload\":\"a\",\"dueAt\":\"tomorrow\"}|dueAt",
                "{\"payload\":\"a\",\"dueAt\":\"2030-01-01T00:00:00Z\",\"delay\":\"PT1S\"}|dueAt",
                "{\"payload\":\"a\",\"uniqueFor\":\"PT1S\"}|uniqueFor",
                "{\"payload\":\"a\",\"uniqueKey\":\"\"}|uniqueKey",
                "{\"payload\":\"a\",\"groupKey\":\"\\u0000\"}|groupKey",
                "{\"payload\":\"a\\u0000\"}|payload",
                "{\"payload\":\"a\",\"maxAttempts\":0}|maxAttempts",
                "{\"payload\":\"a\",\"maxAttempts\":101}|maxAttempts",
                "{\"payload\":\"a\",\"backoff\":{\"initialDelay\":\"PT2H\",\"maxDelay\":\"PT1H\"}}|backoff.maxDelay",
                "{\"payload\":\"a\",\"backoff\":{\"multiplier\":0.5}}|backoff.multiplier",
                "{\"payload\":\"a\",\"backoff\":{\"jitter\":2}}|backoff.jitter",
                "{\"payload\":\"a\",\"retry\":{\"first\":\"PT1S\"}}|retry",
                "{\"payload\":\"a\",\"metadata\":{\"a\":null}}|metadata.a",
                "{\"payload\":\"a\",\"surprise\":1}|surprise"
            })
    void rejectsBadMessageByField(String body, String field) {
        Answer answer = api.post(path + "/messages", body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(field);
        assertThat(api.get(path + "/messages").json().path("items")).isEmpty();
    }

    @Test
    void listsTruncateLargePayloads() {
        String id = api.post(path + "/messages", "{\"payload\":\"%s\"}".formatted("x".repeat(100_000)))
                .json()
                .path("id")
                .asString();

        assertThat(api.get(path + "/messages")
                        .json()
                        .path("items")
                        .get(0)
                        .path("payload")
                        .asString())
                .hasSize(500);
        assertThat(message(id).path("payload").asString()).hasSize(100_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, Long.MAX_VALUE, 999_999_999_999_999L})
    void rejectsDueTimeTooFarAhead(long dueAt) {
        Answer answer = admin.executor(token)
                .post(
                        PUSH,
                        "{\"queue\":\"%s\",\"idempotencyKey\":\"k\",\"messages\":[{\"payload\":\"a\",\"dueAt\":%d}]}"
                                .formatted(queue, dueAt));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("msg").asString()).contains("messages[0]").contains("dueAt");
    }

    @Test
    void rejectsUnpairedSurrogate() {
        Answer answer = api.post(path + "/messages", "{\"payload\":\"a\\ud800b\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("payload");
    }

    @Test
    void rejectsPayloadThatIsTooLarge() {
        Answer answer = api.post(path + "/messages", "{\"payload\":\"%s\"}".formatted("x".repeat(300_000)));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("payload").contains("262144");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a/b", "%00", "ä", "", "."})
    void doesNotCreateQueueWithInvalidName(String name) {
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        int status = api.post("/api/queues/%s/messages".formatted(encoded), "{\"payload\":\"a\"}")
                .status();

        assertThat(status).isIn(400, 404, 405);
    }

    @Test
    void returnsNotFoundForUnknownQueuesAndMessages() {
        assertThat(api.get("/api/queues/nowhere").status()).isEqualTo(404);
        assertThat(api.post("/api/queues/nowhere/pause", null).status()).isEqualTo(404);
        assertThat(api.get("/api/queues/nowhere/messages").status()).isEqualTo(404);
        api.post(path + "/messages", "{\"payload\":\"a\"}");
        assertThat(api.get(path + "/messages/1").status()).isEqualTo(404);
        assertThat(api.get(path + "/messages?status=LOST").status()).isEqualTo(400);
        assertThat(api.post(path + "/messages/retry", "{\"ids\":[]}").status()).isEqualTo(400);
        assertThat(api.post(path + "/messages/retry", "{\"ids\":[\"x\"]}").status())
                .isEqualTo(400);
        assertThat(api.post(path + "/messages/discard", "{\"ids\":[null]}").status())
                .isEqualTo(400);
    }

    @Test
    void executorsOfAnotherGroupGetNoMessages() {
        api.post(path + "/messages", "{\"payload\":\"secret\"}");
        ClaimedMessage claimed = work(1).messages().get(0);
        String otherName = "o-" + UUID.randomUUID();
        String other = tokenOf(groupId(otherName));
        String otherInstance = UUID.randomUUID().toString();
        SecuredClient intruder = admin.executor(other);
        intruder.post("/api/registry", text(registration(otherName, otherInstance)));

        String asItself = text(new WorkRequest(otherInstance, queue, 0, "c", 0, 0, 5, 0, 0, List.of()));
        assertThat(intruder.post(WORK, asItself).json().path("msg").asString())
                .isEqualTo("queue %s is worked on by another executor group".formatted(queue));
        String asUs = text(new WorkRequest(
                instance,
                queue,
                0,
                "c",
                0,
                0,
                0,
                0,
                0,
                List.of(new MessageResult(claimed.id(), claimed.logId(), 200, null, false, null, 0))));
        assertThat(intruder.post(WORK, asUs).json().path("code").asInt()).isEqualTo(500);
        assertThat(message(Long.toString(claimed.id())).path("status").asString())
                .isEqualTo("RUNNING");
        intruder.post("/api/registryRemove", text(registration(otherName, otherInstance)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"instanceId\":\"I\"}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\"}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\",\"claim\":\"c\",\"slots\":-1}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\",\"claim\":\"c\",\"slots\":\"many\"}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\",\"claim\":\"c\",\"strand\":99}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\",\"claim\":\"c\",\"waitMillis\":-5,\"slots\":1}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\",\"claim\":\"c\",\"turn\":-1,\"slots\":1}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\",\"claim\":\"c\",\"turn\":3,\"received\":4,\"slots\":1}",
                "{\"instanceId\":\"I\",\"queue\":\"not a name\",\"claim\":\"c\"}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\",\"claim\":\"c\",\"results\":[{\"id\":1}]}",
                "{\"instanceId\":\"I\",\"queue\":\"Q\",\"claim\":\"c\",\"results\":{}}",
                "{\"instanceId\":\"nobody\",\"queue\":\"Q\",\"claim\":\"c\"}"
            })
    void rejectsBadWorkRequestWithReason(String body) {
        Answer answer = admin.executor(token)
                .post(WORK, body.replace("\"I\"", '"' + instance + '"').replace("\"Q\"", '"' + queue + '"'));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("code").asInt()).as(answer.body()).isEqualTo(500);
        assertThat(answer.json().path("msg").asString()).isNotBlank();
    }

    @Test
    void rejectsWrongToken() {
        Answer answer = admin.executor("wrong").post(WORK, text(request(1, 0)));

        assertThat(answer.json().path("msg").asString()).isEqualTo("The access token is wrong.");
    }

    // --- words of these tests

    private String dead(String payload) {
        String id = api.post(
                        path + "/messages",
                        "{\"payload\":\"%s\",\"maxAttempts\":1}".formatted(payload.replace("\"", "\\\"")))
                .json()
                .path("id")
                .asString();
        ClaimedMessage claimed = work(1).messages().get(0);
        report(new MessageResult(
                claimed.id(),
                claimed.logId(),
                500,
                "java.io.IOException: no such address\n\tat com.acme.Mailer.send(Mailer.java:7)",
                false,
                null,
                3));
        return id;
    }

    private JsonNode message(String id) {
        return api.get(path + "/messages/" + id).json();
    }

    private WorkReply work(int slots) {
        return workReply(wire(WORK, request(slots, 0)));
    }

    private void report(MessageResult... results) {
        assertThat(work(results).refused()).isEmpty();
    }

    private WorkReply work(MessageResult... results) {
        return workReply(wire(
                WORK,
                new WorkRequest(instance, queue, 0, UUID.randomUUID().toString(), 0, 0, 0, 0, 0, List.of(results))));
    }

    private WorkRequest request(int slots, long waitMillis) {
        return new WorkRequest(instance, queue, 0, UUID.randomUUID().toString(), 0, 0, slots, 0, waitMillis, List.of());
    }

    private static WorkReply workReply(Answer answer) {
        JsonObject json = Json.readObject(answer.body().getBytes(StandardCharsets.UTF_8));
        assertThat(json.integer("code", 0)).as(answer.body()).isEqualTo(200);
        return WorkReply.from(json.object("content").orElseThrow());
    }

    private Registration registration() {
        return registration(groupName, instance);
    }

    private Registration registrationAt(String address) {
        return new Registration(groupName, address + "/", new Registration.Instance(instance, "host", 7, "test", true));
    }

    private static Registration registration(String group, String id) {
        return new Registration(
                group, "http://127.0.0.1:9999/", new Registration.Instance(id, "host", 7, "test", true));
    }

    private Answer wire(String address, WireMessage message) {
        return admin.executor(token).post(address, text(message));
    }

    private static String text(WireMessage message) {
        return new String(Json.write(message), StandardCharsets.UTF_8);
    }

    private String groupId(String name) {
        return api.post("/api/groups", "{\"name\":\"%s\"}".formatted(name))
                .json()
                .path("id")
                .asString();
    }

    private String tokenOf(String id) {
        return api.get("/api/groups/%s/token".formatted(id))
                .json()
                .path("token")
                .asString();
    }
}
