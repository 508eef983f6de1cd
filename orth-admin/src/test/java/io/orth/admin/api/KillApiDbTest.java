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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class KillApiDbTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final FakeExecutor executor = new FakeExecutor(UUID.randomUUID().toString());
    private SecuredClient api;
    private String groupName;
    private String token;
    private String job;

    @BeforeEach
    void setUp() {
        api = admin.api();
        groupName = "k-" + UUID.randomUUID();
        String group = api.post("/api/groups", "{\"name\":\"%s\"}".formatted(groupName))
                .json()
                .path("id")
                .asString();
        token = api.get("/api/groups/%s/token".formatted(group))
                .json()
                .path("token")
                .asString();
        job = api.post("/api/jobs", "{\"name\":\"j\",\"groupId\":\"%s\",\"handler\":\"h\"}".formatted(group))
                .header("Location");
    }

    @AfterEach
    void tearDown() {
        wire("/api/registryRemove", registration());
        executor.close();
    }

    @Test
    void killsRunAndRecordsTheOperator() {
        String run = pendingRun();

        JsonNode killed = api.post("/api/runs/%s/kill".formatted(run), "{\"reason\":\"stuck\"}")
                .json();

        assertThat(killed.path("ending").asInt()).isEqualTo(1);
        assertThat(killed.path("runs").path(0).path("runId").asString()).isEqualTo(run);
        assertThat(killed.path("runs").path(0).path("outcome").asString()).isEqualTo("ENDING");
        JsonNode ending = api.get("/api/runs/" + run).json();
        assertThat(ending.path("kill").path("reason").asString()).isEqualTo("stuck");
        String by = ending.path("kill").path("by").asString();
        wire("/api/callback", result(run));

        JsonNode over = api.get("/api/runs/" + run).json();
        assertThat(over.path("status").asString()).isEqualTo("FAILED");
        assertThat(over.path("cause").asString()).isEqualTo("KILLED");
        assertThat(over.path("handleMsg").asString()).isEqualTo("killed by %s: stuck".formatted(by));
        JsonNode again = api.post("/api/runs/%s/kill".formatted(run), null).json();
        assertThat(again.path("over").asInt()).isEqualTo(1);
        assertThat(api.get("/api/audit?q=run%20" + run)
                        .json()
                        .path("items")
                        .path(1)
                        .path("detail")
                        .asString())
                .isEqualTo("0 ended, 1 ending, 0 over: stuck");
    }

    @Test
    void allRunsOfAJobAreKilledEvenAfterItIsDeleted() {
        String run = pendingRun();
        api.delete(job);

        JsonNode killed = api.post(job + "/kill", null).json();

        assertThat(killed.path("ending").asInt()).isEqualTo(1);
        assertThat(killed.path("more").asBoolean()).isFalse();
        assertThat(executor.kills())
                .singleElement()
                .satisfies(kill -> assertThat(kill.logIds()).containsExactly(Long.valueOf(run)));
        wire("/api/callback", result(run));
        assertThat(api.post(job + "/kill", null).code()).isEqualTo("NOT_FOUND");
    }

    @Test
    void killsSeveralRunsUnlessOneIsUnknown() {
        String run = pendingRun();

        assertThat(api.post("/api/runs/kill", "{\"runIds\":[\"%s\",\"1\"]}".formatted(run))
                        .code())
                .isEqualTo("NOT_FOUND");
        assertThat(executor.kills()).isEmpty();
        assertThat(api.post("/api/runs/kill", "{\"runIds\":[\"%s\",\"%s\"]}".formatted(run, run))
                        .json()
                        .path("runs"))
                .hasSize(1);
        assertThat(executor.kills()).hasSize(1);
    }

    @ParameterizedTest(name = "{0} {2}")
    @CsvSource(delimiter = '|', textBlock = """
            id     | /api/runs/x/kill  | {}
            id     | /api/runs/-1/kill | {}
            id     | /api/jobs/x/kill  | {}
            reason | /api/runs/1/kill  | {"reason":7}
            reason | /api/runs/1/kill  | {"reason":"a\\nb"}
            reason | /api/jobs/1/kill  | {"reason":["a"]}
            why    | /api/runs/1/kill  | {"why":"a"}
            runIds | /api/runs/kill    | {}
            runIds | /api/runs/kill    | {"runIds":[]}
            runIds | /api/runs/kill    | {"runIds":"1"}
            runIds | /api/runs/kill    | {"runIds":["x"]}
            runIds | /api/runs/kill    | {"runIds":["-1"]}
            runIds | /api/runs/kill    | {"runIds":[null]}
            """)
    void aBadFieldIsNamed(String field, String path, String body) {
        assertInvalid(api.post(path, body), field);
    }

    @Test
    void rejectsTooLongReasonsAndLists() {
        assertInvalid(api.post("/api/runs/1/kill", "{\"reason\":\"%s\"}".formatted("x".repeat(501))), "reason");
        String ids = "\"1\",".repeat(1_000) + "\"1\"";
        assertInvalid(api.post("/api/runs/kill", "{\"runIds\":[%s]}".formatted(ids)), "runIds");
        assertThat(api.post("/api/runs/1/kill", null).code()).isEqualTo("NOT_FOUND");
    }

    private String pendingRun() {
        wire("/api/registry", registration());
        String run = api.post(job + "/trigger", null).json().path("runId").asString();
        await().atMost(SOON)
                .until(() -> api.get("/api/runs/" + run)
                        .json()
                        .path("status")
                        .asString()
                        .equals("PENDING"));
        return run;
    }

    private Answer wire(String path, String body) {
        return admin.executor(token).post(path, body);
    }

    private String registration() {
        Registration.Instance instance = new Registration.Instance(executor.instanceId(), "host", 7, "test", true);
        return new String(
                Json.write(new Registration(groupName, executor.address(), instance)), StandardCharsets.UTF_8);
    }

    private String result(String run) {
        CallbackItem item = new CallbackItem(Long.parseLong(run), 0, 500, null, executor.instanceId());
        return new String(Json.write(List.of(item)), StandardCharsets.UTF_8);
    }
}
