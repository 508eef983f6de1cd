package io.orth.admin.api;

import static io.orth.admin.api.JobsApiDbTest.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.testkit.FakeExecutor;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs, logs, groups and executors from both sides: over REST and over the executors' wire. */
class RunsApiDbTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final FakeExecutor executor = new FakeExecutor(UUID.randomUUID().toString());
    private SecuredClient api;
    private String groupName;
    private String group;
    private String token;

    @BeforeEach
    void setUp() {
        api = admin.api();
        groupName = "g-" + UUID.randomUUID();
        group = api.post("/api/groups", "{\"name\":\"%s\"}".formatted(groupName))
                .json()
                .path("id")
                .asString();
        token = api.get("/api/groups/%s/token".formatted(group))
                .json()
                .path("token")
                .asString();
    }

    @AfterEach
    void tearDown() {
        admin.executor(token).post("/api/registryRemove", registration(executor.address(), executor.instanceId()));
        executor.close();
    }

    @Test
    void dispatchesRunAndReceivesItsResult() {
        register();
        String run = trigger();
        await().atMost(SOON).until(() -> executor.received().size() == 1);
        await().atMost(SOON).until(() -> statusOf(run).equals("PENDING"));

        assertThat(wire("/api/callback", result(run, 200, executor.instanceId()))
                        .json()
                        .path("code")
                        .asInt())
                .isEqualTo(200);

        assertThat(statusOf(run)).isEqualTo("SUCCESS");
        JsonNode steps =
                api.get("/api/runs/%s/transitions".formatted(run)).json().path("items");
        assertThat(steps.values().stream().map(step -> step.path("to").asString()))
                .containsExactly("INIT", "PENDING", "SUCCESS");
        assertThat(executor.tokens()).containsOnly(token);
    }

    @Test
    @Tag("must-kernel")
    void answersCallbackAfterCommitWithoutHoldingThread() throws Exception {
        register();
        String run = trigger();
        await().atMost(SOON).until(() -> statusOf(run).equals("PENDING"));
        CompletableFuture<Answer> answer;
        try (Connection other = admin.context().getBean(DataSource.class).getConnection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("select from orth_run where id = %s for update".formatted(run));
            answer =
                    CompletableFuture.supplyAsync(() -> wire("/api/callback", result(run, 200, executor.instanceId())));

            await().atMost(SOON).until(() -> isBlocked("orth_run") && !isAnyThreadIn(ExecutorWireApi.class));

            assertThat(answer).isNotDone();
            assertThat(statusOf(run)).isEqualTo("PENDING");
            other.rollback();
            other.setAutoCommit(true);
        }
        assertThat(answer.get(SOON.toSeconds(), TimeUnit.SECONDS)
                        .json()
                        .path("code")
                        .asInt())
                .isEqualTo(200);
        assertThat(statusOf(run)).isEqualTo("SUCCESS");
    }

    /** Whether a transaction waits for a lock that another one holds. */
    private static boolean isBlocked(String table) {
        return admin.jdbc()
                .sql(
                        "select exists (select from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || :table || '%')")
                .param("table", table)
                .query(Boolean.class)
                .single();
    }

    private static boolean isAnyThreadIn(Class<?> type) {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Stream::of)
                .anyMatch(frame -> frame.getClassName().startsWith(type.getName()));
    }

    @Test
    void readsLogInChunksToItsEnd() throws Exception {
        executor.log("line one\nline two ✓\n");
        executor.progress(40);
        register();
        String run = trigger();
        await().atMost(SOON).until(() -> statusOf(run).equals("PENDING"));

        JsonNode piece =
                api.get("/api/runs/%s/log?from=9&limit=1000".formatted(run)).json();
        assertThat(piece.path("text").asString()).isEqualTo("line two ✓\n");
        assertThat(piece.path("end").asBoolean()).isFalse();
        assertThat(piece.path("progress").asInt()).isEqualTo(40);
        assertThat(piece.path("zone").asString()).isEqualTo("Asia/Kolkata");
        wire("/api/callback", result(run, 200, executor.instanceId()));

        String events = stream(run, null);
        assertThat(events)
                .contains("event:log")
                .contains("id:22")
                .contains("line one\\nline two ✓\\n")
                .contains("\"progress\":40")
                .contains("\"zone\":\"Asia/Kolkata\"")
                .contains("event:end")
                .contains("{\"status\":\"SUCCESS\"}");
        assertThat(stream(run, "9")).doesNotContain("line one").contains("line two");
        assertThat(stream(run, "22")).doesNotContain("event:log").contains("event:end");
    }

    @Test
    void streamsGrowingLogAndReadsItLaterInChunks() throws Exception {
        executor.log("line one\n");
        executor.streamLogs();
        register();
        String run = trigger();
        await().atMost(SOON).until(() -> statusOf(run).equals("PENDING"));
        List<String> events = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> watching = HttpClient.newHttpClient()
                .sendAsync(streamRequest(run, null), HttpResponse.BodyHandlers.ofLines())
                .thenAccept(answer -> answer.body().forEach(events::add));

        await().atMost(SOON).until(() -> executor.streamsOpened() == 1);
        executor.addToLog("line two ✓\n");
        await().atMost(SOON).until(() -> events.toString().contains("line two"));
        executor.cutStreams();
        executor.addToLog("line three\n");
        await().atMost(SOON).until(() -> events.toString().contains("line three"));
        wire("/api/callback", result(run, 200, executor.instanceId()));
        watching.get(SOON.toSeconds(), TimeUnit.SECONDS);

        assertThat(events).containsOnlyOnce("id:9", "id:22", "id:33", "event:end");
        assertThat(events.toString().split("line (one|two|three)", -1)).hasSize(4);
        assertThat(events).contains("data:{\"status\":\"SUCCESS\"}");
    }

    @Test
    void aStreamThatEndsIsFollowedByTheStatus() throws Exception {
        executor.log("line one\n");
        executor.streamLogs();
        register();
        String run = trigger();
        await().atMost(SOON).until(() -> statusOf(run).equals("PENDING"));
        CompletableFuture<String> events = HttpClient.newHttpClient()
                .sendAsync(streamRequest(run, "9"), HttpResponse.BodyHandlers.ofString())
                .thenApply(HttpResponse::body);
        await().atMost(SOON).until(() -> executor.streamsOpened() == 1);

        executor.addToLog("line two\n");
        executor.endLog();
        wire("/api/callback", result(run, 500, executor.instanceId()));

        assertThat(events.get(SOON.toSeconds(), TimeUnit.SECONDS))
                .doesNotContain("line one")
                .contains("line two")
                .contains("{\"status\":\"FAILED\"}");
    }

    @Test
    void reportsLogOfOfflineExecutorAsUnreachable() throws Exception {
        register();
        String run = trigger();
        await().atMost(SOON).until(() -> statusOf(run).equals("PENDING"));
        wire("/api/callback", result(run, 500, executor.instanceId()));
        wire("/api/registryRemove", registration(executor.address(), executor.instanceId()));
        executor.close();

        Answer log = api.get("/api/runs/%s/log".formatted(run));

        assertThat(log.code()).isEqualTo("EXECUTOR_UNREACHABLE");
        assertThat(log.json().path("detail").asString())
                .contains(executor.address())
                .endsWith("is offline");
        assertThat(stream(run, null)).contains("event:unavailable").contains("is offline");
    }

    @Test
    void runsAreListedByTheirJobGroupAndStatus() {
        String run = trigger();

        String list = "/api/runs?groupId=%s".formatted(group);
        assertThat(api.get(list).json().path("items").path(0).path("id").asString())
                .isEqualTo(run);
        assertThat(api.get(list + "&status=SUCCESS").json().path("items")).isEmpty();
        assertThat(api.get(list + "&from=2099-01-01T00:00:00Z").json().path("items"))
                .isEmpty();
        assertThat(api.get(list + "&to=%2B999999999-12-31T00:00:00Z").json().path("items"))
                .hasSize(1);
        assertThat(api.get(list + "&after=" + run).json().path("items")).isEmpty();
    }

    @Test
    @Tag("must-first")
    void runsAreListedByAnyOfSeveralStatuses() {
        String run = trigger();
        String list = "/api/runs?groupId=" + group;
        String status = api.get("/api/runs/" + run).json().path("status").asString();
        String other = status.equals("FAILED") ? "TIMEOUT" : "FAILED";

        assertThat(api.get("%s&status=%s&status=%s&status=".formatted(list, other, status))
                        .json()
                        .path("items"))
                .hasSize(1);
        assertThat(api.get("%s&status=%s&status=SUCCESS".formatted(list, other))
                        .json()
                        .path("items"))
                .isEmpty();
        Answer unknown = api.get(list + "&status=FAILED&status=DONE");
        assertInvalid(unknown, "status");
        assertThat(unknown.body()).contains("status must be one of INIT, PENDING, ");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "id, /api/runs/x",
        "id, /api/runs/99999999999999999999",
        "id, /api/runs/-1/transitions",
        "id, /api/runs/x/log",
        "id, /api/runs/x/log/stream",
        "jobId, /api/runs?jobId=x",
        "groupId, /api/runs?groupId=-1",
        "status, /api/runs?status=DONE",
        "from, /api/runs?from=yesterday",
        "to, /api/runs?to=2026-01-01",
        "limit, /api/runs?limit=100000",
        "after, /api/runs?after=x",
        "from, /api/runs/1/log?from=-1",
        "limit, /api/runs/1/log?limit=0",
        "limit, /api/runs/1/log?limit=4294967300",
        "from, /api/runs/1/log/stream?from=x",
        "groupId, /api/executors?groupId=x",
        "limit, /api/executors?limit=-5",
        "name, /api/groups?name=%00",
        "id, /api/groups/x",
        "id, /api/groups/1.5/token"
    })
    void aBadPathOrParameterIsNamed(String field, String path) {
        assertInvalid(api.get(path), field);
    }

    @Test
    void returnsNotFoundForUnknownIds() {
        for (String path : List.of("/api/runs/1", "/api/runs/1/log", "/api/runs/1/transitions", "/api/groups/999999")) {
            assertThat(api.get(path).code()).as(path).isEqualTo("NOT_FOUND");
        }
        assertThat(api.get("/api/nothing").code()).isEqualTo("NOT_FOUND");
    }

    @Test
    void createsRenamesRotatesTokenAndDeletesGroup() {
        String path = "/api/groups/" + group;

        assertThat(api.post("/api/groups", "{\"name\":\"%s\"}".formatted(groupName))
                        .code())
                .isEqualTo("CONFLICT");
        assertThat(api.put(path, "{\"title\":\"New\"}").json().path("title").asString())
                .isEqualTo("New");
        assertThat(api.get("/api/groups?name=" + groupName).json().path("items"))
                .hasSize(1);
        String rotated = api.post(path + "/token", null).json().path("token").asString();
        assertThat(wire("/api/registry", registration(executor.address(), executor.instanceId()))
                        .json()
                        .path("code")
                        .asInt())
                .isEqualTo(500);
        token = rotated;
        register();
        assertThat(api.delete(path).code()).isEqualTo("CONFLICT");
        wire("/api/registryRemove", registration(executor.address(), executor.instanceId()));
        assertThat(api.delete(path).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            name  | {}
            name  | {"name":"two words"}
            name  | {"name":7}
            title | {"name":"ok","title":"a\\u0000b"}
            title | {"name":"ok","title":true}
            extra | {"name":"ok","extra":1}
            """)
    void rejectsBadGroup(String field, String body) {
        long before = admin.count("orth_executor_group");

        assertInvalid(api.post("/api/groups", body), field);

        assertThat(admin.count("orth_executor_group")).isEqualTo(before);
    }

    @Test
    void executorsAreListedWithoutTheirToken() {
        register();

        Answer list = api.get("/api/executors?groupId=" + group);

        assertThat(list.json().path("items").path(0).path("instanceId").asString())
                .isEqualTo(executor.instanceId());
        assertThat(list.json().path("items").path(0).path("status").asString()).isEqualTo("ONLINE");
        assertThat(list.body()).doesNotContain(token);
    }

    @Test
    void showsSystemInformation() {
        JsonNode system = api.get("/api/system").json();

        assertThat(system.path("environment").asString()).isEqualTo("test");
        assertThat(system.path("database").asString()).isEqualTo("external");
        assertThat(system.path("version").asString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/registry", "/api/registryRemove", "/api/callback"})
    void wireRejectsWrongTokenWithoutDetails(String path) {
        for (String wrong : List.of("", "wrong", admin.apiToken())) {
            Answer answer = admin.executor(wrong).post(path, registration(executor.address(), "i"));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().path("code").asInt()).isEqualTo(500);
            assertThat(answer.json().path("msg").asString()).isEqualTo("The access token is wrong.");
        }
        assertThat(admin.anonymous().post(path, "{}").json().path("msg").asString())
                .isEqualTo("The access token is wrong.");
        assertThat(api.get("/api/executors?groupId=" + group).json().path("items"))
                .isEmpty();
    }

    @Test
    void rejectsRegistrationWithTokenOfAnotherGroup() {
        String other = api.post("/api/groups", "{\"name\":\"o-%s\"}".formatted(UUID.randomUUID()))
                .json()
                .path("id")
                .asString();
        String foreign = api.get("/api/groups/%s/token".formatted(other))
                .json()
                .path("token")
                .asString();

        Answer answer =
                admin.executor(foreign).post("/api/registry", registration(executor.address(), executor.instanceId()));

        assertThat(answer.json().path("code").asInt()).isEqualTo(500);
        assertThat(answer.json().path("msg").asString()).contains("not that of group '%s'".formatted(groupName));
        assertThat(api.get("/api/executors?groupId=" + group).json().path("items"))
                .isEmpty();
    }

    @Test
    void ignoresForgedResultAndStopsItsRepetition() {
        register();
        String run = trigger();
        await().atMost(SOON).until(() -> statusOf(run).equals("PENDING"));

        Answer answer = wire("/api/callback", result(run, 200, "somebody-else"));

        assertThat(answer.json().path("code").asInt()).isEqualTo(200);
        assertThat(statusOf(run)).isEqualTo("PENDING");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "7",
                "{}",
                "[1]",
                "[{}]",
                "[{\"logId\":\"x\"}]",
                "[{\"logId\":1}]",
                "[{\"logId\":1,\"handleCode\":99999999999}]",
                "[{\"logId\":1.5,\"handleCode\":200}]"
            })
    void rejectsUnreadableCallbackWithReason(String body) {
        Answer answer = wire("/api/callback", body);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("code").asInt()).isEqualTo(500);
        assertThat(answer.json().path("msg").asString()).isNotEmpty().doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://169.254.169.254:80/", "http://localhost:1/", "http:1.2.3.4:5", "file:///etc/passwd"})
    void rejectsForbiddenAddress(String address) {
        Answer answer = wire("/api/registry", registration(address, executor.instanceId()));

        assertThat(answer.json().path("code").asInt()).isEqualTo(500);
        assertThat(answer.json().path("msg").asString()).startsWith("registryValue ");
    }

    @Test
    void rejectsSeventeenMegabyteBodyBeforeItIsSent() throws Exception {
        try (Socket socket = new Socket(admin.url().getHost(), admin.url().getPort())) {
            socket.setSoTimeout((int) SOON.toMillis());
            String head = "POST /api/callback HTTP/1.1\r\nHost: x\r\n%s: %s\r\nContent-Length: %d\r\n\r\n"
                    .formatted(Headers.ACCESS_TOKEN, token, 17 * 1024 * 1024);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));

            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(answer.readLine()).startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void unknownPathIsNotPartOfTheWire() {
        assertThat(wire("/api/beat", "{}").status()).isEqualTo(401);
    }

    private void register() {
        Answer answer = wire("/api/registry", registration(executor.address(), executor.instanceId()));
        assertThat(answer.json().path("code").asInt()).as(answer.body()).isEqualTo(200);
    }

    private Answer wire(String path, String body) {
        return admin.executor(token).post(path, body);
    }

    private String registration(String address, String instance) {
        Registration registration = new Registration(
                groupName,
                address,
                new Registration.Instance(instance, "host", 1, "test", true).inZone("Asia/Kolkata"));
        return new String(Json.write(registration), StandardCharsets.UTF_8);
    }

    private static String result(String run, int code, String instance) {
        return new String(
                Json.write(List.of(new CallbackItem(Long.parseLong(run), 0, code, "done", instance))),
                StandardCharsets.UTF_8);
    }

    private String trigger() {
        String job = api.post("/api/jobs", "{\"name\":\"j\",\"groupId\":\"%s\",\"handler\":\"h\"}".formatted(group))
                .header("Location");
        return api.post(job + "/trigger", null).json().path("runId").asString();
    }

    private String statusOf(String run) {
        return api.get("/api/runs/" + run).json().path("status").asString();
    }

    private String stream(String run, String lastEventId) throws Exception {
        return HttpClient.newHttpClient()
                .send(streamRequest(run, lastEventId), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private HttpRequest streamRequest(String run, String lastEventId) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(admin.url() + "/api/runs/%s/log/stream".formatted(run)))
                .timeout(SOON)
                .header("Authorization", "Bearer " + admin.apiToken());
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        return request.build();
    }
}
