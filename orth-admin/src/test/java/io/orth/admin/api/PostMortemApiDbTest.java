package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.api.TaskLogs.TaskLogView;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineRuns;
import io.orth.admin.pipeline.PipelineTasks;
import io.orth.admin.pipeline.TaskResult.Outcome;
import io.orth.admin.triggering.RunLogs;
import io.orth.testkit.FakeExecutor;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** One document with all data about a run, whatever happened to its executors. */
@Tag("must-pipelines")
@Timeout(120)
class PostMortemApiDbTest {

    private static final int PIECE = 16_384;

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String name = "p-" + UUID.randomUUID();
    private final FakeExecutor program = new FakeExecutor(UUID.randomUUID().toString());
    private SecuredClient api;
    private WireExecutor executor;
    private String run;
    private String trace;

    @BeforeEach
    void setUp() {
        api = admin.api();
        executor = new WireExecutor(admin, program.address() + "/");
        api.put(
                "/api/pipelines/" + name,
                "{\"stages\":[{\"name\":\"all\",\"handler\":\"h\",\"tolerance\":\"ALWAYS\"}]}");
    }

    @AfterEach
    void leave() {
        executor.close();
        program.close();
    }

    private void submit(int targets) {
        StringBuilder some = new StringBuilder();
        for (int i = 0; i < targets; i++) {
            some.append(i == 0 ? "" : ",").append("{\"targetType\":\"t\",\"targetId\":\"t-%02d\"}".formatted(i));
        }
        Answer submitted =
                api.post("/api/pipelines/%s/runs".formatted(name), "{\"scope\":{\"targets\":[%s]}}".formatted(some));
        assertThat(submitted.status()).as(submitted.body()).isEqualTo(202);
        run = submitted.json().path("rootJobId").asString();
        trace = submitted.json().path("traceId").asString();
    }

    private void awaitEnd() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> api.get("/api/pipeline-runs/" + run)
                        .json()
                        .path("status")
                        .asString()
                        .equals("COMPLETED"));
    }

    private JsonNode collect() {
        Answer answer = api.get("/api/pipeline-runs/%s/post-mortem".formatted(run));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static List<String> texts(JsonNode items, String field) {
        return items.valueStream().map(item -> item.path(field).asString()).toList();
    }

    private void say(String message, int times) {
        admin.jdbc()
                .sql("""
                        insert into orth_system_log (node_id, number, at, level, message)
                        select :node, n, clock_timestamp(), 'INFO', :message from generate_series(1, :times) n
                        """)
                .param("node", "n-" + UUID.randomUUID())
                .param("message", message)
                .param("times", times)
                .update();
    }

    @Test
    void listsLogsOfFailedTasksFirst() {
        submit(3);
        program.log("looking for the book\nit is not there\n");
        executor.finish(executor.begin(name, "all"));
        WireExecutor.Begun failed = executor.begin(name, "all");
        executor.fail(failed, Outcome.PERMANENT);
        executor.finish(executor.begin(name, "all"));
        awaitEnd();

        JsonNode document = collect();

        assertThat(document.path("traceId").asString()).isEqualTo(trace);
        assertThat(texts(document.path("taskLogs"), "status")).containsExactly("FAILED", "COMPLETED", "COMPLETED");
        JsonNode first = document.path("taskLogs").get(0);
        assertThat(first.path("taskId").asString()).isEqualTo(Long.toString(failed.taskId()));
        assertThat(first.path("stage").asString()).isEqualTo("all");
        assertThat(first.path("targetId").asString()).isEqualTo(failed.task().targetId());
        assertThat(first.path("attempt").asInt()).isEqualTo(1);
        assertThat(first.path("text").asString()).isEqualTo("looking for the book\nit is not there\n");
        assertThat(first.path("size").asLong()).isEqualTo(37);
        assertThat(first.path("problem").isNull()).isTrue();
        assertThat(document.path("truncated").asBoolean()).isFalse();
    }

    @Test
    @Tag("must-first")
    void readsLogOfLatestAttemptInChunks() {
        submit(2);
        WireExecutor.Begun begun = executor.begin(name, "all");
        String log = "/api/pipeline-tasks/%d/log".formatted(begun.taskId());
        program.log("looking for the book\n");

        JsonNode first = api.get(log).json();
        assertThat(first.path("text").asString()).isEqualTo("looking for the book\n");
        assertThat(first.path("end").asBoolean()).as("it goes on").isFalse();
        program.log("looking for the book\nit is not there\n");
        executor.fail(begun, Outcome.PERMANENT);

        JsonNode rest = api.get(log + "?from=" + first.path("to").asLong()).json();
        assertThat(rest.path("text").asString()).isEqualTo("it is not there\n");
        assertThat(rest.path("size").asLong()).isEqualTo(37);
        assertThat(rest.path("zone").isNull()).as("its executor did not say").isTrue();
        assertThat(rest.path("end").asBoolean()).isTrue();
        assertThat(rest.path("logId").asString())
                .isEqualTo(api.get("/api/pipeline-tasks/" + begun.taskId())
                        .json()
                        .path("logId")
                        .asString());

        String waiting = api.get("/api/pipeline-runs/%s/tasks?status=PENDING".formatted(run))
                .json()
                .path("items")
                .path(0)
                .path("id")
                .asString();
        assertThat(api.get("/api/pipeline-tasks/%s/log".formatted(waiting)).status())
                .isEqualTo(404);
        assertThat(api.get(log + "?limit=3").status()).isEqualTo(400);
    }

    @Test
    void containsSystemLogLinesOfRunAndTraceOnce() {
        submit(1);
        say("something about trace " + trace, 1);
        say("something about run " + run, 1);
        say("something about another", 1);
        executor.finish(executor.begin(name, "all"));
        awaitEnd();

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(texts(collect().path("systemLog"), "message"))
                        .containsExactly(
                                "pipeline run %s (trace %s) is COMPLETED".formatted(run, trace),
                                "something about run " + run,
                                "something about trace " + trace));
        assertThat(collect().path("truncated").asBoolean()).isFalse();
    }

    @Test
    void indicatesTruncatedSystemLog() {
        submit(1);
        say("again about trace " + trace, 101);
        executor.finish(executor.begin(name, "all"));
        awaitEnd();

        JsonNode document = collect();

        assertThat(document.path("systemLog")).hasSize(100);
        assertThat(document.path("truncated").asBoolean()).isTrue();
    }

    @Test
    void containsEndOfLongLog() {
        submit(1);
        String end = "x".repeat(PIECE - 5) + " end\n";
        program.log("the beginning\n" + end);
        executor.finish(executor.begin(name, "all"));
        awaitEnd();

        JsonNode document = collect();

        JsonNode log = document.path("taskLogs").get(0);
        assertThat(log.path("text").asString()).isEqualTo(end);
        assertThat(log.path("size").asLong()).isEqualTo(PIECE + 14);
        assertThat(document.path("truncated").asBoolean()).isTrue();
    }

    /** The message was claimed before midnight, and its task started after. */
    @Test
    void findsLogOfThePreviousDay() {
        submit(1);
        program.log("a minute to twelve\n");
        WireExecutor.Begun task = executor.begin(name, "all");
        program.keepLogsUntil(admin.jdbc()
                .sql("select created_at - interval '1 minute' from orth_execution_log where task_id = :task")
                .param("task", task.taskId())
                .query(OffsetDateTime.class)
                .single()
                .toInstant());
        executor.finish(task);
        awaitEnd();

        assertThat(texts(collect().path("taskLogs"), "text")).containsExactly("a minute to twelve\n");
    }

    @Test
    void limitsTaskLogsToTwentyAndIndicatesIt() {
        submit(21);
        program.log("hello\n");
        for (int i = 0; i < 21; i++) {
            executor.finish(executor.begin(name, "all"));
        }
        awaitEnd();

        JsonNode document = collect();

        assertThat(document.path("taskLogs")).hasSize(20);
        assertThat(document.path("truncated").asBoolean()).isTrue();
    }

    @Test
    void reportsOfflineExecutorAndReadsOtherLogs() {
        submit(3);
        program.log("hello\n");
        try (FakeExecutor mortal = new FakeExecutor(UUID.randomUUID().toString());
                WireExecutor other = executor.another(mortal.address() + "/")) {
            executor.fail(executor.begin(name, "all"), Outcome.PERMANENT);
            other.finish(other.begin(name, "all"));
            other.finish(other.begin(name, "all"));
        }
        awaitEnd();

        JsonNode document = collect();

        assertThat(document.path("taskLogs")).hasSize(3);
        assertThat(document.path("taskLogs").get(0).path("text").asString()).isEqualTo("hello\n");
        for (int i = 1; i < 3; i++) {
            JsonNode gone = document.path("taskLogs").get(i);
            assertThat(gone.path("text").isNull()).isTrue();
            assertThat(gone.path("size").isNull()).isTrue();
            assertThat(gone.path("problem").asString())
                    .startsWith("the log is kept by the executor at")
                    .endsWith("which is offline");
        }
        assertThat(document.path("executionLog").size()).isPositive();
    }

    @Test
    void stopsReadingLogsAtTheDeadline() throws Exception {
        submit(2);
        program.log("hello\n");
        executor.finish(executor.begin(name, "all"));
        executor.finish(executor.begin(name, "all"));
        awaitEnd();
        PipelineRun found = admin.context().getBean(PipelineRuns.class).get(Long.parseLong(run));
        List<PipelineTasks.Attempt> attempts =
                admin.context().getBean(PipelineTasks.class).attempts(found.id(), 20);
        AtomicLong now = new AtomicLong();
        Ticker slow = () -> now.getAndAdd(Duration.ofSeconds(6).toNanos());

        List<TaskLogView> read = new TaskLogs(admin.context().getBean(RunLogs.class), slow).read(found, attempts);

        assertThat(read).extracting(TaskLogView::text).containsExactly("hello\n", null);
        assertThat(read)
                .extracting(TaskLogView::problem)
                .containsExactly(null, "there was no time left to ask its executor");
    }
}
