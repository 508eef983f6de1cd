package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Registration;
import io.orth.protocol.WireMessage;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dead letters, operations and purges with valid and with hostile requests. */
@Tag("must-queues")
class DeadLettersApiDbTest {

    private static final String LETTERS = "/api/dead-letters";
    private static final String OPERATIONS = "/api/operations";

    /** A queue that has that many ready gets nothing back. */
    private static final int ENOUGH_TO_DO = 10_000;

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String queue = "dead-" + UUID.randomUUID();
    private final String groupName = "g-" + UUID.randomUUID();
    private final String instance = UUID.randomUUID().toString();
    private SecuredClient api;
    private String token;

    @BeforeEach
    void setUp() {
        api = admin.api();
        String group = api.post("/api/groups", "{\"name\":\"%s\"}".formatted(groupName))
                .json()
                .path("id")
                .asString();
        token = api.get("/api/groups/%s/token".formatted(group))
                .json()
                .path("token")
                .asString();
        wire("/api/registry", registration());
    }

    @AfterEach
    void leave() {
        wire("/api/registryRemove", registration());
    }

    // --- the list

    @Test
    void aDeadLetterIsListedSearchedAndExported() {
        List<String> ids = dead("order 17 was refused\n\tat com.acme.Orders.send(Orders.java:7)", "a", "b", "c");

        JsonNode items = api.get(LETTERS + "?queue=" + queue).json().path("items");

        assertThat(items.findValuesAsString("id")).containsExactly(ids.get(2), ids.get(1), ids.get(0));
        JsonNode first = items.get(0);
        assertThat(first.propertyNames())
                .containsExactly(
                        "no",
                        "kind",
                        "id",
                        "queue",
                        "jobId",
                        "jobName",
                        "handler",
                        "cause",
                        "error",
                        "fingerprint",
                        "attempt",
                        "maxAttempts",
                        "diedAt",
                        "pushedAt",
                        "traceId",
                        "payload");
        assertThat(first.path("kind").asString()).isEqualTo("MESSAGE");
        assertThat(first.path("queue").asString()).isEqualTo(queue);
        assertThat(first.path("jobId").isNull()).isTrue();
        assertThat(first.path("cause").asString()).isEqualTo("EXHAUSTED");
        assertThat(first.path("error").asString()).isEqualTo("order 17 was refused");
        assertThat(first.path("payload").asString()).isEqualTo("c");

        Answer page = api.get(LETTERS + "?limit=2&queue=" + queue);
        assertThat(page.json().path("items")).hasSize(2);
        assertThat(api.get(LETTERS + "?queue=" + queue + "&after="
                                + page.json().path("next").asString())
                        .json()
                        .path("items")
                        .findValuesAsString("id"))
                .containsExactly(ids.get(0));
        assertThat(found("&error=WAS%20refused&kind=MESSAGE&from=2020-01-01T00:00:00Z"))
                .isEqualTo(3);
        assertThat(found("&error=nothing%20like%20it")).isZero();
        assertThat(found("&kind=RUN")).isZero();
        assertThat(found("&to=2020-01-01T00:00:00Z")).isZero();
        assertThat(found("&fingerprint=" + first.path("fingerprint").asString()))
                .isEqualTo(3);

        Answer export = api.get(LETTERS + "/export?queue=" + queue);
        assertThat(export.header("Content-Type")).startsWith("application/x-ndjson");
        List<JsonNode> lines = export.body()
                .lines()
                .map(JsonMapper.builder().build()::readTree)
                .toList();
        assertThat(lines).extracting(line -> line.path("id").asString()).isEqualTo(items.findValuesAsString("id"));
        assertThat(lines.get(0).path("stack").asString()).contains("com.acme.Orders");
        assertThat(lines.get(0).path("failures").get(0).path("error").asString())
                .isEqualTo("order 17 was refused");
        assertThat(audited("GET /api/dead-letters/export")).contains("queue=" + queue);
    }

    @Test
    void failuresOfOneKindAreAGroup() {
        dead("order 1 was refused", "a", "b");
        dead("disk is full", "c");

        JsonNode groups = api.get(LETTERS + "/groups?queue=" + queue).json().path("items");

        assertThat(groups.findValuesAsString("count")).containsExactly("2", "1");
        assertThat(groups.get(0).propertyNames())
                .containsExactly(
                        "fingerprint",
                        "kind",
                        "queue",
                        "jobId",
                        "jobName",
                        "error",
                        "count",
                        "firstSeen",
                        "lastSeen",
                        "sampleNo",
                        "sampleId");
        assertThat(groups.get(0).path("error").asString()).isEqualTo("order 1 was refused");
        assertThat(groups.get(0).path("queue").asString()).isEqualTo(queue);
        assertThat(api.get(LETTERS + "/groups?limit=1&queue=" + queue).json().path("items"))
                .hasSize(1);
        assertThat(api.get(LETTERS + "/groups?kind=RUN&queue=" + queue).json().path("items"))
                .isEmpty();
    }

    @Test
    void groupShowsFirstAndLatestDeath() {
        dead("order 1 was refused", "a");
        dead("order 2 was refused", "b");
        List<String> died =
                api.get(LETTERS + "?queue=" + queue).json().path("items").findValuesAsString("diedAt");

        JsonNode group =
                api.get(LETTERS + "/groups?queue=" + queue).json().path("items").get(0);

        assertThat(died).hasSize(2).doesNotHaveDuplicates();
        assertThat(group.path("lastSeen").asString()).isEqualTo(died.get(0));
        assertThat(group.path("firstSeen").asString()).isEqualTo(died.get(1));
    }

    @Test
    void listsAndRetriesFailedRun() {
        String job = job();
        admin.jdbc()
                .sql("""
                        insert into orth_dead_letter (kind, id, job_id, job_name, handler, shard_index, shard_total, root_run, status_at,
                                                      attempt, max_attempts, pushed_at, size, failures, cause, error, fingerprint, payload)
                        values ('RUN', :id, :job, 'report', 'handler', 0, 1, :id, now(), 1, 1, now(), 1, '[]', 'FAILED', 'no', 'f-of-run',
                                'p')
                        """)
                .param("id", System.nanoTime() % 1_000_000_000_000L)
                .param("job", Integer.parseInt(job))
                .update();
        admin.jdbc()
                .sql("insert into orth_dead_letter_tally values ('RUN', :job, 'f-of-run', 1, now(), now())")
                .param("job", Integer.parseInt(job))
                .update();

        JsonNode listed =
                api.get(LETTERS + "?jobId=" + job).json().path("items").get(0);
        assertThat(listed.path("jobName").asString()).isEqualTo("report");
        assertThat(listed.path("queue").isNull()).isTrue();

        JsonNode done =
                ended(api.post(OPERATIONS, """
                {"action":"RETRY","ids":["%s"]}
                """.formatted(listed.path("no").asString())));

        assertThat(done.path("done").asInt()).as(done.toString()).isEqualTo(1);
        assertThat(api.get(LETTERS + "?jobId=" + job).json().path("items")).isEmpty();
        assertThat(api.get("/api/runs?jobId=" + job).json().path("items").findValuesAsString("triggerType"))
                .contains("RETRY");
    }

    // --- operations

    @Test
    void manyAreRetriedAfterADryRun() {
        List<String> ids = dead("order 1 was refused", "a", "b", "c");
        dead("disk is full", "d");
        String wanted = "\"filter\":{\"queue\":\"%s\",\"error\":\"refused\"}".formatted(queue);

        Answer dry = api.post(OPERATIONS, "{\"action\":\"RETRY\",%s,\"dryRun\":true}".formatted(wanted));
        assertThat(dry.status()).isEqualTo(200);
        assertThat(dry.json().path("count").asInt()).isEqualTo(3);
        assertThat(found("")).isEqualTo(4);

        Answer begun = api.post(OPERATIONS, "{\"action\":\"RETRY\",%s,\"reason\":\"mended\"}".formatted(wanted));
        assertThat(begun.status()).isEqualTo(202);
        assertThat(begun.json().path("total").asInt()).isEqualTo(3);
        assertThat(begun.json().path("filter").path("queue").asString()).isEqualTo(queue);
        assertThat(begun.json().path("createdBy").asString()).isNotBlank();
        JsonNode done = ended(begun);

        assertThat(done.path("done").asInt()).isEqualTo(3);
        assertThat(done.path("reason").asString()).isEqualTo("mended");
        assertThat(done.path("finishedAt").isNull()).isFalse();
        assertThat(found("")).isEqualTo(1);
        assertThat(api.get("/api/queues/%s/messages".formatted(queue))
                        .json()
                        .path("items")
                        .findValuesAsString("id"))
                .containsExactlyElementsOf(ids);
        assertThat(audited("POST /api/operations")).contains("RETRY").contains("mended");
        assertThat(api.get(OPERATIONS + "?status=DONE&limit=500")
                        .json()
                        .path("items")
                        .findValuesAsString("id"))
                .contains(done.path("id").asString());
        assertThat(api.post(OPERATIONS + "/" + done.path("id").asString() + "/pause", null)
                        .status())
                .isEqualTo(409);
    }

    /** While a queue is throttled, its retries wait, and the operation can still be aborted. */
    @Test
    void anOperationIsPausedAndResumedOrAborted() {
        dead("no", "a", "b", "c");
        push(Collections.nCopies(ENOUGH_TO_DO, "live").toArray(String[]::new));
        String pausing = heldRetry();
        String aborting = heldRetry();

        assertThat(changed(pausing, "pause").path("status").asString()).isEqualTo("PAUSED");
        JsonNode aborted = changed(aborting, "abort");
        assertThat(aborted.path("status").asString()).isEqualTo("ABORTED");
        assertThat(aborted.path("finishedAt").isNull()).isFalse();
        assertThat(audited("POST /api/operations/{id}/abort")).isEqualTo("RETRY, 0 of 3 done");

        ended(api.post("/api/queues/%s/purge".formatted(queue), "{\"confirm\":\"%s\"}".formatted(queue)));
        assertThat(operation(pausing).path("status").asString()).isEqualTo("PAUSED");
        assertThat(found("")).as("there is room, and nobody uses it").isEqualTo(3);

        changed(pausing, "resume");
        assertThat(ended(pausing).path("done").asInt()).isEqualTo(3);
        assertThat(found("")).isZero();
        assertThat(operation(aborting)).isEqualTo(aborted);
    }

    private String heldRetry() {
        String id = api.post(OPERATIONS, "{\"action\":\"RETRY\",\"filter\":{\"queue\":\"%s\"}}".formatted(queue))
                .json()
                .path("id")
                .asString();
        Awaitility.await()
                .until(() -> operation(id).path("heldBy").asString(), heldBy -> heldBy.equals("queue " + queue));
        return id;
    }

    private JsonNode changed(String operation, String how) {
        Answer answer = api.post(OPERATIONS + "/" + operation + "/" + how, null);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void discardsSelectedDeadLetters() {
        dead("no", "a", "b");
        List<String> numbers =
                api.get(LETTERS + "?queue=" + queue).json().path("items").findValuesAsString("no");

        JsonNode done =
                ended(api.post(OPERATIONS, "{\"action\":\"DISCARD\",\"ids\":[\"%s\"]}".formatted(numbers.get(0))));

        assertThat(done.path("ids").get(0).asString()).isEqualTo(numbers.get(0));
        assertThat(done.path("all").asBoolean()).isFalse();
        assertThat(api.get(LETTERS + "?queue=" + queue).json().path("items").findValuesAsString("no"))
                .containsExactly(numbers.get(1));
    }

    @Test
    void allAreCounted() {
        dead("no", "a");

        Answer dry = api.post(OPERATIONS, "{\"action\":\"DISCARD\",\"all\":true,\"dryRun\":true}");

        assertThat(dry.json().path("count").asLong()).isEqualTo(admin.count("orth_dead_letter"));
    }

    // --- purge

    @Test
    void purgesQueueOnceItsNameIsConfirmed() {
        push("a", "b", "c");
        String path = "/api/queues/%s/purge".formatted(queue);
        assertThat(api.post(path, "{\"confirm\":\"something else\"}")
                        .json()
                        .path("errors")
                        .findValuesAsString("field"))
                .containsExactly("confirm");
        assertThat(api.post(path, "{}").status()).isEqualTo(400);
        assertThat(api.post("/api/queues/no-such-queue/purge", "{\"confirm\":\"no-such-queue\"}")
                        .status())
                .isEqualTo(404);

        Answer begun = api.post(path, "{\"confirm\":\"%s\"}".formatted(queue));

        assertThat(begun.status()).isEqualTo(202);
        assertThat(begun.json().path("action").asString()).isEqualTo("PURGE");
        assertThat(begun.json().path("queue").asString()).isEqualTo(queue);
        assertThat(ended(begun).path("done").asInt()).isEqualTo(3);
        assertThat(api.get("/api/queues/" + queue).json().path("waiting").asInt())
                .isZero();
    }

    // --- hostile requests

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | action",
                "{\"action\":\"PURGE\",\"all\":true} | action",
                "{\"action\":\"RETRY\"} | filter",
                "{\"action\":\"RETRY\",\"all\":false} | filter",
                "{\"action\":\"RETRY\",\"all\":true,\"ids\":[\"1\"]} | filter",
                "{\"action\":\"RETRY\",\"filter\":{\"kind\":\"RUN\"},\"ids\":[\"1\"]} | filter",
                "{\"action\":\"RETRY\",\"filter\":{}} | filter",
                "{\"action\":\"RETRY\",\"filter\":{\"queue\":\"  \"}} | filter",
                "{\"action\":\"RETRY\",\"filter\":{\"queue\":\"no-such-queue\"}} | filter.queue",
                "{\"action\":\"RETRY\",\"filter\":{\"colour\":\"red\"}} | filter.colour",
                "{\"action\":\"RETRY\",\"filter\":{\"kind\":\"JOB\"}} | filter.kind",
                "{\"action\":\"RETRY\",\"filter\":{\"jobId\":\"x\"}} | filter.jobId",
                "{\"action\":\"RETRY\",\"filter\":{\"from\":\"yesterday\"}} | filter.from",
                "{\"action\":\"RETRY\",\"filter\":{\"error\":\"a\\u0000b\"}} | filter.error",
                "{\"action\":\"RETRY\",\"ids\":[]} | ids",
                "{\"action\":\"RETRY\",\"ids\":[null]} | ids",
                "{\"action\":\"RETRY\",\"ids\":[\"-1\"]} | ids",
                "{\"action\":\"RETRY\",\"ids\":[\"99999999999999999999\"]} | ids",
                "{\"action\":\"RETRY\",\"ids\":{\"a\":1}} | ids",
                "{\"action\":\"RETRY\",\"all\":true,\"reason\":\"a\\nb\"} | reason",
                "{\"action\":\"RETRY\",\"all\":\"perhaps\"} | all"
            })
    void aBadOperationIsRejectedAndNamesTheField(String body, String field) {
        long before = admin.count("orth_operation");

        Answer answer = api.post(OPERATIONS, body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().path("errors").findValuesAsString("field"))
                .as(answer.body())
                .containsExactly(field);
        assertThat(admin.count("orth_operation")).isEqualTo(before);
    }

    @Test
    void tooManyIdsAndHugeBodiesAreRejected() {
        String many = IntStream.rangeClosed(1, 1_001)
                .mapToObj(i -> "\"" + i + "\"")
                .collect(Collectors.joining(",", "{\"action\":\"RETRY\",\"ids\":[", "]}"));

        assertThat(api.post(OPERATIONS, many).status()).isEqualTo(400);
        assertThat(api.post(OPERATIONS, "{\"action\":\"" + "x".repeat(3_200_000) + "\"}")
                        .status())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?kind=JOB",
                "?jobId=x",
                "?jobId=99999999999",
                "?from=yesterday",
                "?to=2026-13-01T00:00:00Z",
                "?limit=0",
                "?limit=501",
                "?after=-1",
                "?error=%00",
                "/groups?limit=201",
                "/groups?kind=JOB",
                "/groups?jobId=-4",
                "/export?from=now"
            })
    void rejectsBadFilter(String query) {
        Answer answer = api.get(LETTERS + query);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().path("errors").findValuesAsString("field")).hasSize(1);
        assertThat(answer.body().contains("kind must be one of MESSAGE, RUN")).isEqualTo(query.contains("kind"));
    }

    @Test
    void aQueueThatIsNotThereHasNoDeadLetters() {
        assertThat(api.get(LETTERS + "?queue=no-such-queue").json().path("items"))
                .isEmpty();
        assertThat(api.get(LETTERS + "/groups?queue=no-such-queue").json().path("items"))
                .isEmpty();
        assertThat(api.get(LETTERS + "/export?queue=no-such-queue").body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/999999999", "/999999999/pause", "/999999999/resume", "/999999999/abort"})
    void anOperationThatIsNotThereIsNotFound(String path) {
        String method = path.endsWith("9") ? "GET" : "POST";

        assertThat(api.call(method, OPERATIONS + path, null).status()).isEqualTo(404);
        assertThat(api.call(method, OPERATIONS + path.replace("999999999", "x"), null)
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aViewerLooksAndTouchesNothing() {
        dead("no", "a");
        SecuredClient viewer = admin.anonymous()
                .bearer(api.post("/api/tokens", "{\"name\":\"of %s\",\"role\":\"VIEWER\"}".formatted(queue))
                        .json()
                        .path("token")
                        .asString());

        for (String path : List.of(LETTERS, LETTERS + "/groups", OPERATIONS)) {
            assertThat(viewer.get(path).status()).as(path).isEqualTo(200);
        }
        assertThat(viewer.get(LETTERS + "/export").status()).isEqualTo(403);
        assertThat(viewer.post(OPERATIONS, "{\"action\":\"RETRY\",\"all\":true}")
                        .status())
                .isEqualTo(403);
        assertThat(viewer.post("/api/queues/%s/purge".formatted(queue), "{\"confirm\":\"%s\"}".formatted(queue))
                        .status())
                .isEqualTo(403);
        for (String change : List.of("pause", "resume", "abort")) {
            assertThat(viewer.post(OPERATIONS + "/1/" + change, null).status()).isEqualTo(403);
        }
        assertThat(found("")).isEqualTo(1);
    }

    // --- words of these tests

    private int found(String filter) {
        return api.get(LETTERS + "?queue=" + queue + filter)
                .json()
                .path("items")
                .size();
    }

    private JsonNode ended(Answer begun) {
        assertThat(begun.status()).as(begun.body()).isEqualTo(202);
        return ended(begun.json().path("id").asString());
    }

    private JsonNode ended(String operation) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> operation(operation),
                        now -> now.path("status").asString().equals("DONE"));
    }

    private JsonNode operation(String id) {
        return api.get(OPERATIONS + "/" + id).json();
    }

    private String audited(String action) {
        return admin.jdbc()
                .sql("select detail from orth_audit where action = :action order by id desc limit 1")
                .param("action", action)
                .query(String.class)
                .single();
    }

    private void push(String... payloads) {
        String messages = Arrays.stream(payloads)
                .map(payload -> "{\"payload\":\"%s\",\"maxAttempts\":1}".formatted(payload))
                .collect(Collectors.joining(","));
        assertThat(api.post("/api/queues/%s/messages/bulk".formatted(queue), "{\"messages\":[%s]}".formatted(messages))
                        .status())
                .isEqualTo(201);
    }

    /** Returns the ids of the messages. */
    private List<String> dead(String error, String... payloads) {
        push(payloads);
        List<ClaimedMessage> claimed = work(payloads.length, List.of()).messages();
        work(
                0,
                claimed.stream()
                        .map(message -> new MessageResult(message.id(), message.logId(), 500, error, false, null, 1))
                        .toList());
        return claimed.stream().map(message -> Long.toString(message.id())).toList();
    }

    private WorkReply work(int slots, List<MessageResult> results) {
        WorkRequest request =
                new WorkRequest(instance, queue, 0, UUID.randomUUID().toString(), 0, 0, slots, 0, 0, results);
        JsonObject json =
                Json.readObject(wire("/api/orth/queues/work", request).body().getBytes(StandardCharsets.UTF_8));
        assertThat(json.integer("code", 0)).isEqualTo(200);
        return WorkReply.from(json.object("content").orElseThrow());
    }

    private String job() {
        String group = api.get("/api/groups")
                .json()
                .path("items")
                .findValuesAsString("id")
                .get(0);
        return api.post("/api/jobs", """
                {"name":"report-%s","groupId":"%s","handler":"handler","schedule":{"type":"NONE"}}
                """.formatted(queue, group))
                .json()
                .path("id")
                .asString();
    }

    private Registration registration() {
        return new Registration(
                groupName, "http://127.0.0.1:9999/", new Registration.Instance(instance, "host", 7, "test", true));
    }

    private Answer wire(String address, WireMessage message) {
        return admin.executor(token).post(address, new String(Json.write(message), StandardCharsets.UTF_8));
    }
}
