package io.orth.admin.api;

import static io.orth.admin.api.JobsApiDbTest.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.testkit.FakeExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Retries and children over REST, with an executor that reports the results the test chooses. */
class AfterRunApiDbTest {

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
        wire("/api/registry", new String(Json.write(registration()), StandardCharsets.UTF_8));
    }

    @AfterEach
    void tearDown() {
        wire("/api/registryRemove", new String(Json.write(registration()), StandardCharsets.UTF_8));
        executor.close();
    }

    @Test
    void retriesFailedRunAndFiresChildAfterSuccess() {
        String child = job("child", "");
        String parent = job("parent", """
                ,"maxAttempts":3,"backoff":{"initialDelay":"PT0.2S"},"children":[{"jobId":"%s","pass":"RESULT"}]""".formatted(child));
        String first = api.post("/api/jobs/%s/trigger".formatted(parent), "{\"param\":\"p\"}")
                .json()
                .path("runId")
                .asString();

        String retry = failAndAwaitRetry(first);
        report(retry, 200, "42 rows");

        await().atMost(SOON).until(() -> related(retry).path("children").size() == 1);
        JsonNode fired = related(retry).path("children").path(0);
        String childRun = fired.path("id").asString();
        await().atMost(SOON).until(() -> run(childRun).path("status").asString().equals("PENDING"));
        assertThat(run(childRun).path("param").asString()).isEqualTo("42 rows");
        assertThat(run(childRun).path("triggerType").asString()).isEqualTo("CHILD");
        assertThat(related(childRun).path("parent").path("id").asString()).isEqualTo(retry);
        assertThat(run(retry).path("attempt").asInt()).isEqualTo(2);
        assertThat(run(retry).path("attempts").asInt()).isEqualTo(3);
        assertThat(run(retry).path("retryOf").asString()).isEqualTo(first);
        assertThat(run(retry).path("param").asString()).isEqualTo("p");
        assertThat(related(first).path("attempts")).hasSize(2);
        assertThat(api.get("/api/jobs/" + child)
                        .json()
                        .path("parents")
                        .path(0)
                        .path("name")
                        .asString())
                .isEqualTo("parent");
    }

    @Test
    void showsAndUpdatesRetryAndChildrenWithTheJob() {
        String child = job("child", "");
        String parent = job("parent", """
                ,"maxAttempts":6,"children":[{"jobId":"%s","pass":"FIXED","param":"x"}]""".formatted(child));

        JsonNode shown = api.get("/api/jobs/" + parent).json();
        assertThat(shown.path("maxAttempts").asInt()).isEqualTo(6);
        assertThat(shown.path("backoff").path("initialDelay").asString()).isEqualTo("PT10S");
        assertThat(shown.path("backoff").path("maxDelay").asString()).isEqualTo("PT1H");
        assertThat(shown.path("children").path(0).path("name").asString()).isEqualTo("child");
        assertThat(shown.path("children").path(0).path("param").asString()).isEqualTo("x");

        Answer back = api.put(
                "/api/jobs/" + child,
                "{\"name\":\"child\",\"groupId\":\"%s\",\"handler\":\"h\",\"version\":1,\"children\":[{\"jobId\":\"%s\"}]}"
                        .formatted(group, parent));
        assertInvalid(back, "children");
        assertThat(back.body()).contains("child (%s) → parent (%s) → child (%s)".formatted(child, parent, child));
    }

    @Tag("must-runs")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            retry             | "retry":{"retries":1}
            retries           | "retries":1
            maxAttempts       | "maxAttempts":-1
            maxAttempts       | "maxAttempts":0
            maxAttempts       | "maxAttempts":101
            maxAttempts       | "maxAttempts":"3"
            maxAttempts       | "maxAttempts":1.5
            backoff           | "backoff":"PT10S"
            backoff.initialDelay | "backoff":{"initialDelay":"10s"}
            backoff.initialDelay | "backoff":{"initialDelay":"-PT1S"}
            backoff.initialDelay | "backoff":{"initialDelay":"P31D"}
            backoff.initialDelay | "backoff":{"initialDelay":"PT99999999999999999999S"}
            backoff.multiplier | "backoff":{"multiplier":0.9}
            backoff.multiplier | "backoff":{"multiplier":101}
            backoff.multiplier | "backoff":{"multiplier":"2"}
            backoff.maxDelay  | "backoff":{"maxDelay":"P1D1Z"}
            backoff.maxDelay  | "backoff":{"initialDelay":"PT1H","maxDelay":"PT1M"}
            backoff.maxDelay  | "backoff":{"maxDelay":"P31D"}
            backoff.jitter    | "backoff":{"jitter":-0.01}
            backoff.jitter    | "backoff":{"jitter":1e9}
            backoff.x         | "backoff":{"x":1}
            children          | "children":{}
            children          | "children":[null]
            children          | "children":[{"jobId":"999999999"}]
            children.jobId    | "children":[{}]
            children.jobId    | "children":[{"jobId":"x"}]
            children.jobId    | "children":[{"jobId":"-1"}]
            children.pass     | "children":[{"jobId":"1","pass":"ALL"}]
            children.param    | "children":[{"jobId":"1","pass":"FIXED"}]
            children.param    | "children":[{"jobId":"1","param":"x"}]
            children.param    | "children":[{"jobId":"1","pass":"FIXED","param":"a\\u0000"}]
            """)
    void aBadFieldIsNamedAndNothingIsStored(String field, String member) {
        long before = admin.count("orth_job");

        Answer answer = api.post(
                "/api/jobs", "{\"name\":\"bad\",\"groupId\":\"%s\",\"handler\":\"h\",%s}".formatted(group, member));

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().path("errors").values().stream()
                        .map(error -> error.path("field").asString().replaceAll("\\[\\d+]", "")))
                .contains(field);
        assertThat(admin.count("orth_job")).isEqualTo(before);
    }

    private String failAndAwaitRetry(String first) {
        await().atMost(SOON).until(() -> run(first).path("status").asString().equals("PENDING"));
        report(first, 500, "no luck");
        await().atMost(SOON).until(() -> related(first).path("attempts").size() == 2);
        String retry = related(first).path("attempts").path(1).path("id").asString();
        await().atMost(SOON).until(() -> run(retry).path("status").asString().equals("PENDING"));
        return retry;
    }

    private String job(String name, String more) {
        Answer made = api.post(
                "/api/jobs", "{\"name\":\"%s\",\"groupId\":\"%s\",\"handler\":\"h\"%s}".formatted(name, group, more));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        return made.json().path("id").asString();
    }

    private JsonNode run(String id) {
        return api.get("/api/runs/" + id).json();
    }

    private JsonNode related(String id) {
        return api.get("/api/runs/%s/related".formatted(id)).json();
    }

    private void report(String run, int code, String message) {
        CallbackItem item = new CallbackItem(Long.parseLong(run), 0, code, message, executor.instanceId());
        wire("/api/callback", new String(Json.write(List.of(item)), StandardCharsets.UTF_8));
    }

    private Registration registration() {
        return new Registration(
                groupName,
                executor.address(),
                new Registration.Instance(executor.instanceId(), "host", 1, "test", true));
    }

    private void wire(String path, String body) {
        Answer answer = admin.executor(token).post(path, body);
        assertThat(answer.json().path("code").asInt()).as(answer.body()).isEqualTo(200);
    }
}
