package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.WorkerMetrics;
import io.orth.testkit.FakeExecutor;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Executors over REST, and the other side of it over their wire. */
@Tag("must-executor")
class ExecutorsApiDbTest {

    private static final WorkerMetrics METRICS =
            new WorkerMetrics(0.15, new WorkerMetrics.Ram(120, 45, 64), 3, 8, 1, 0.05);

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final FakeExecutor executor = new FakeExecutor(UUID.randomUUID().toString());
    private final String groupName = "g-" + UUID.randomUUID();
    private SecuredClient api;
    private String group;
    private String token;

    @BeforeEach
    void setUp() {
        api = admin.api();
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
        admin.executor(token).post("/api/registryRemove", registration(METRICS));
        executor.close();
    }

    @Test
    void heartbeatReplyCarriesRevokedRuns() {
        beat(METRICS);
        admin.jdbc().sql("""
                        insert into orth_run_history (id, job_id, job_name, group_id, handler, param, trigger_type, status, seq,
                                              status_at, cause, trigger_code, handle_code, executor_id, finished_at,
                                              claim_until)
                        select -4711, 1, 'j', group_id, 'h', '', 'MANUAL', 'FAILED', 1, now(), 'LOST', 200, 500, id, now(),
                               now()
                          from orth_executor
                         where instance_id = :instance
                        """).param("instance", executor.instanceId()).update();

        JsonNode reply = beat(METRICS).json();
        admin.jdbc().sql("delete from orth_run_history where id = -4711").update();

        assertThat(reply.path("code").asInt()).isEqualTo(200);
        assertThat(reply.path("revoked").toString()).isEqualTo("[-4711]");
        assertThat(beat(METRICS).json().path("revoked").toString()).isEqualTo("[]");
    }

    @Test
    @Tag("must-first")
    void heartbeatReplyCarriesIncarnation() {
        long first = beat(METRICS).json().path("incarnation").asLong();
        assertThat(first).isPositive();
        assertThat(beat(METRICS).json().path("incarnation").asLong()).isEqualTo(first);

        admin.executor(token).post("/api/registryRemove", registration(METRICS));

        assertThat(beat(METRICS).json().path("incarnation").asLong()).isNotEqualTo(first);
    }

    @Test
    @Tag("must-kernel")
    void heartbeatReplyCarriesHeartbeatRule() {
        JsonNode reply = beat(METRICS).json();

        assertThat(reply.path("heartbeatIntervalMillis").asLong()).isEqualTo(5_000);
        assertThat(reply.path("heartbeatTimeoutMillis").asLong()).isEqualTo(15_000);
        assertThat(admin.jdbc()
                        .sql("select heartbeat_timeout_ms from orth_executor where instance_id = :instance")
                        .param("instance", executor.instanceId())
                        .query(Long.class)
                        .single())
                .isEqualTo(15_000);
    }

    @Test
    @Tag("must-queues")
    void listsExecutorMetrics() {
        beat(METRICS);

        JsonNode shown =
                api.get("/api/executors?groupId=" + group).json().path("items").path(0);

        assertThat(shown.path("draining").asBoolean(true)).isFalse();
        assertThat(shown.path("metrics").toString())
                .isEqualTo("{\"cpu\":0.15,\"ram\":{\"rss\":120,\"heapUsed\":45,\"heapTotal\":64},"
                        + "\"running\":3,\"queued\":8,\"leakedThreads\":1,\"processCpu\":0.05}");
    }

    @Test
    @Tag("must-first")
    void listsRecentlyUnreachableExecutors() {
        beat(METRICS);
        assertThat(unreachableSince("1 second")).isNotEmpty();
        assertThat(unreachableSince("1 minute")).isEmpty();
    }

    private String unreachableSince(String age) {
        admin.jdbc()
                .sql("update orth_executor set unreachable_at = now() - :age::interval where instance_id = :instance")
                .param("age", age)
                .param("instance", executor.instanceId())
                .update();
        return api.get("/api/executors?groupId=" + group)
                .json()
                .path("items")
                .path(0)
                .path("unreachableAt")
                .asString("");
    }

    @Test
    @Tag("must-queues")
    void offlineExecutorLeavesTheListButKeepsItsHistory() {
        beat(METRICS);
        admin.executor(token).post("/api/registryRemove", registration(METRICS));
        admin.jdbc().sql("""
                        with gone as (
                            update orth_executor set status_at = now() - interval '1 hour' where instance_id = :instance returning id
                        )
                        insert into orth_executor_sample select id, timestamptz '2030-01-01 12:00:00Z', 0.5, 1, 2, 3, 4, 5, 6 from gone
                        """).param("instance", executor.instanceId()).update();
        String list = "/api/executors?groupId=" + group;

        assertThat(api.get(list).json().path("items").size()).isZero();
        assertThat(api.get(list + "&gone=false").json().path("items").size()).isZero();
        assertThat(api.get(list + "&gone=true").body()).contains(executor.instanceId());
        JobsApiDbTest.assertInvalid(api.get(list + "&gone=1"), "gone");
        assertThat(api.get("/api/executors/%s/metrics".formatted(executor.instanceId()))
                        .json()
                        .path(0)
                        .path("metrics")
                        .path("ram")
                        .toString())
                .isEqualTo("{\"rss\":1,\"heapUsed\":2,\"heapTotal\":3}");
    }

    @Test
    void omitsLoadThatTheSystemDoesNotReport() {
        beat(new WorkerMetrics(-1, METRICS.ram(), 0, 0, 0));

        JsonNode metrics = api.get("/api/executors?groupId=" + group)
                .json()
                .path("items")
                .path(0)
                .path("metrics");

        assertThat(metrics.path("cpu").isNull()).isTrue();
        assertThat(metrics.path("processCpu").isNull()).isTrue();
    }

    @Test
    void drainsExecutorAndAuditsTheOperator() {
        beat(METRICS);

        Answer answer = drain();

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().path("draining").asBoolean(false)).isTrue();
        assertThat(executor.isDraining()).isTrue();
        assertThat(admin.jdbc()
                        .sql("select count(*) from orth_audit where object = :object")
                        .param("object", "executor " + executor.instanceId())
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void reportsExecutorThatDoesNotRespond() {
        beat(METRICS);
        executor.close();

        Answer answer = drain();

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).contains("could not be told to drain: it cannot be reached");
    }

    @Test
    void doesNotDrainSuccessorAtTheSameAddress() {
        beat(METRICS);
        executor.restartAs("successor-" + UUID.randomUUID());

        Answer answer = api.post("/api/executors/%s/drain".formatted(firstInstance()), "");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).contains("it refused: this is instance successor-");
        assertThat(executor.isDraining()).isFalse();
    }

    @Test
    void anUnknownOneIsNotFound() {
        assertThat(api.post("/api/executors/nobody/drain", "").status()).isEqualTo(404);
        assertThat(api.get("/api/executors/nobody/metrics").status()).isEqualTo(404);
    }

    @Test
    void itsHistoryIsServed() {
        beat(METRICS);
        admin.jdbc().sql("""
                        insert into orth_executor_sample
                        select id, timestamptz '2030-01-01 12:00:00Z', 0.5, 1, 2, 3, 4, 5, 6, 0.25
                          from orth_executor where instance_id = :instance
                        """).param("instance", executor.instanceId()).update();

        assertThat(api.get("/api/executors/%s/metrics".formatted(executor.instanceId()))
                        .body())
                .contains("{\"at\":\"2030-01-01T12:00:00Z\",\"metrics\":{\"cpu\":0.5,\"ram\":{\"rss\":1,\"heapUsed\":2,"
                        + "\"heapTotal\":3},\"running\":4,\"queued\":5,\"leakedThreads\":6,\"processCpu\":0.25}}");
    }

    private String firstInstance() {
        return api.get("/api/executors?groupId=" + group)
                .json()
                .path("items")
                .path(0)
                .path("instanceId")
                .asString();
    }

    private Answer drain() {
        return api.post("/api/executors/%s/drain".formatted(executor.instanceId()), "");
    }

    private Answer beat(WorkerMetrics metrics) {
        return admin.executor(token).post("/api/registry", registration(metrics));
    }

    private String registration(WorkerMetrics metrics) {
        Registration.Instance instance =
                new Registration.Instance(executor.instanceId(), "host", 1, "v", true, false, metrics);
        return new String(
                Json.write(new Registration(groupName, executor.address(), instance)), StandardCharsets.UTF_8);
    }
}
