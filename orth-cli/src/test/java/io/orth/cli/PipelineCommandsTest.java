package io.orth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.ScriptedAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The requests of each pipeline command, and the output for their responses. */
@Tag("must-pipelines")
class PipelineCommandsTest {

    private static final String PIPELINE = """
            {"name":"books","version":3,"paused":false,"updatedBy":"ann","updatedAt":"2030-01-31T12:00:00.123Z",
             "stages":[{"name":"plan","handler":"h","paused":true},{"name":"write","handler":"h"}]}
            """;
    private static final String RUN = """
            {"id":"17","pipeline":"books","version":3,"status":"FAILED","createdBy":"ann","traceId":"abc","progress":50,
             "createdAt":"2030-01-31T12:00:00Z","failure":{"stage":"plan"},"retried":2,
             "stages":[{"name":"plan","status":"OVER","expected":9,"completed":2,"failed":2,"cancelled":2,"open":3,"queue":"q"},
                       {"name":"write","status":"WAITING","paused":true}]}
            """;
    private static final String TASK = """
            {"id":"5","rootJobId":"17","pipeline":"books","stage":"plan","queue":"q","targetType":"page","targetId":"p1",
             "status":"RUNNING","attempts":2,"maxAttempts":3,"executorId":"9","updatedAt":"2030-01-31T12:00:00Z",
             "error":{"code":"TIMEOUT","message":"too long"}}
            """;

    @TempDir
    Path directory;

    private ScriptedAdmin admin;

    @BeforeEach
    void start() throws IOException {
        admin = new ScriptedAdmin();
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    private CliRun run(String... args) {
        CliRun run = CliRun.at(admin.url(), args);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        return run;
    }

    private ScriptedAdmin.Call only() {
        assertThat(admin.calls).hasSize(1);
        return admin.calls.get(0);
    }

    private String asked() {
        return only().method() + " " + only().path();
    }

    @Test
    void listsPipelinesAndPauses() {
        admin.then(200, "{\"paused\":true,\"items\":[" + PIPELINE + "]}");

        assertThat(run("pipelines", "list").out()).isEqualToNormalizingNewlines("""
                        NAME   VERSION  PAUSED  STAGES                 UPDATED               BY
                        books  3        no      plan (paused) > write  2030-01-31T12:00:00Z  ann
                        All pipelines are paused.
                        """);
        assertThat(only().authorization()).isEqualTo("Bearer secret");
    }

    @Test
    void printsTheAnswerAsItCameWithJson() {
        String answer = "{\"paused\":false,\"items\":[], \"new\" : {}}";
        admin.then(200, answer);

        assertThat(run("--json", "pipelines", "list").out()).isEqualToIgnoringNewLines(answer);
        assertThat(run("pipelines", "list", "--json").out()).isEqualToIgnoringNewLines(answer);
        assertThat(run("pipelines", "list").out()).isEqualToIgnoringNewLines("There are no pipelines.");
    }

    @Test
    void definesAPipelineOfAFile() throws IOException {
        Path file = Files.writeString(directory.resolve("books.yaml"), "stages:\n- {name: ä}\n");
        admin.then(200, PIPELINE);

        CliRun run = run("pipelines", "define", "books", file.toString());

        assertThat(run.out()).isEqualToIgnoringNewLines("Pipeline books has version 3, with 2 stages.");
        assertThat(asked()).isEqualTo("PUT /api/pipelines/books");
        assertThat(only().type()).isEqualTo("application/yaml");
        assertThat(only().body()).isEqualTo("stages:\n- {name: ä}\n");
    }

    @Test
    void submitsRunWithScopeOptionsAndKey() throws IOException {
        Path scope = Files.writeString(
                directory.resolve("scope.json"), "{\"targets\":[{\"targetType\":\"book\",\"targetId\":\"b1\"}]}");
        admin.then(202, """
                {"rootJobId":"17","status":"PENDING","pipeline":"books","version":3,"traceId":"abc",
                 "estimate":{"tasks":40,"basis":"LAST_RUN"}}
                """);

        CliRun run = run(
                "pipelines",
                "submit",
                "books",
                "--scope",
                "@" + scope,
                "--options",
                "{\"force\":true}",
                "--key",
                "spring");

        assertThat(run.out())
                .isEqualToIgnoringNewLines(
                        "Run 17 of books, version 3 is PENDING; about 40 tasks (LAST_RUN). Trace id abc.");
        assertThat(asked()).isEqualTo("POST /api/pipelines/books/runs");
        assertThat(only().key()).isEqualTo("spring");
        assertThat(only().body())
                .isEqualTo(
                        "{\"scope\":{\"targets\":[{\"targetType\":\"book\",\"targetId\":\"b1\"}]},\"options\":{\"force\":true}}");
    }

    @Test
    void dryRunEstimatesSubmissionAndStartsNothing() {
        admin.then(
                200, "{\"rootJobId\":null,\"pipeline\":\"books\",\"version\":3,\"traceId\":\"abc\",\"estimate\":{}}");

        CliRun run = run("pipelines", "submit", "books", "--dry-run");

        assertThat(run.out())
                .startsWith("Nothing was started of books, version 3; how many tasks there will be is not known");
        assertThat(only().body()).isEqualTo("{\"scope\":{},\"options\":{},\"dryRun\":true}");
    }

    @Test
    void reportsRunSubmittedBeforeWithTheKey() {
        admin.then(202, "{\"rootJobId\":\"17\",\"status\":\"RUNNING\",\"pipeline\":\"books\",\"duplicate\":true}");

        assertThat(run("pipelines", "submit", "books", "--key", "k").out())
                .startsWith("Run 17 of books, version 0 was submitted before under this key and is RUNNING");
    }

    @Test
    void listsRunsPageByPage() {
        admin.then(200, "{\"items\":[" + RUN + "],\"next\":\"16\"}");

        CliRun run =
                run("pipelines", "runs", "--pipeline", "books", "--status", "failed", "--limit", "1", "--after", "20");

        assertThat(run.out()).isEqualToNormalizingNewlines("""
                        ROOT  PIPELINE  STATUS  PROGRESS  CREATED               BY   FINISHED
                        17    books     FAILED  50 %      2030-01-31T12:00:00Z  ann  -
                        There is more: --after 16
                        """);
        assertThat(asked()).isEqualTo("GET /api/pipeline-runs?pipeline=books&status=FAILED&limit=1&after=20");
    }

    @Test
    void showsProgressOfEachStage() {
        admin.then(200, RUN);

        assertThat(run("pipelines", "show", "17").out()).isEqualToNormalizingNewlines("""
                        Run 17 of books, version 3, is FAILED: 50 %.
                        CREATED               BY   STARTED  FINISHED  TRACE ID
                        2030-01-31T12:00:00Z  ann  -        -         abc
                        Failure: {"stage":"plan"}
                        STAGE  STATUS   PAUSED  EXPECTED  COMPLETED  FAILED  CANCELLED  OPEN  QUEUE
                        plan   OVER     no      9         2          2       2          3     q
                        write  WAITING  yes     -         0          0       0          -     -
                        """);
    }

    @Test
    @Tag("must-kernel")
    void setsAndShowsTheResultOfRun() {
        admin.then(200, RUN.replace("\"retried\":2", """
                "result":{"n":1},"links":[{"name":"Book","url":"https://a.example/b"}]"""));

        CliRun run = run("pipelines", "result", "17", "--result", "{\"n\":1}", "--link", "Book=https://a.example/b");

        assertThat(run.out()).isEqualToIgnoringNewLines("Run 17 has a result; links: 1.");
        assertThat(asked()).isEqualTo("PUT /api/pipeline-runs/17/result");
        assertThat(only().body())
                .isEqualTo("{\"result\":{\"n\":1},\"links\":[{\"name\":\"Book\",\"url\":\"https://a.example/b\"}]}");
    }

    @Test
    @Tag("must-kernel")
    void showsResultAndLinksOfRun() {
        admin.then(200, RUN.replace("\"retried\":2", """
                "result":{"n":1},"links":[{"name":"Book","url":"https://a.example/b"}]"""));

        assertThat(run("pipelines", "show", "17").out()).contains("Result: {\"n\":1}", "Book: https://a.example/b");
    }

    @Test
    @Tag("must-kernel")
    void filtersRunsAndTasksByMeta() {
        admin.then(200, "{\"items\":[]}").then(200, "{\"items\":[]}");

        run("pipelines", "runs", "--meta", "tenant=acme & co", "--meta", "env=prod");
        run("pipelines", "tasks", "17", "--meta", "language=en");

        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::path)
                .containsExactly(
                        "/api/pipeline-runs?meta.tenant=acme+%26+co&meta.env=prod&limit=50",
                        "/api/pipeline-runs/17/tasks?meta.language=en&limit=50");
    }

    @Test
    void listsTasksWithTheirErrors() {
        admin.then(200, "{\"items\":[" + TASK + "]}");

        CliRun run = run("pipelines", "tasks", "17", "--status", "FAILED", "--stage", "plan");

        assertThat(run.out()).isEqualToNormalizingNewlines("""
                        TASK  STAGE  TARGET   STATUS   ATTEMPTS  UPDATED               ERROR
                        5     plan   page/p1  RUNNING  2 of 3    2030-01-31T12:00:00Z  TIMEOUT: too long
                        """);
        assertThat(asked()).isEqualTo("GET /api/pipeline-runs/17/tasks?stage=plan&status=FAILED&limit=50");
    }

    @Test
    void listsTasksUnchangedForLongest() {
        admin.then(200, "{\"items\":[" + TASK + "]}");

        assertThat(run("pipelines", "stuck").out()).contains("5     17    plan   page/p1  RUNNING  2 of 3");
        assertThat(asked()).isEqualTo("GET /api/pipeline-tasks?limit=50");
    }

    @Test
    void cancelsRunAndReportsUnfinishedTasks() {
        admin.then(200, RUN.replace("FAILED", "CANCELLED"));

        CliRun run = run("pipelines", "cancel", "17", "--reason", "too dear");

        assertThat(run.out()).isEqualToIgnoringNewLines("Run 17 is CANCELLED; 5 tasks were not over.");
        assertThat(asked()).isEqualTo("POST /api/pipeline-runs/17/cancel");
        assertThat(only().body()).isEqualTo("{\"reason\":\"too dear\"}");
    }

    @Test
    void retriesAllOrSomeFailedTasksAndReportsCount() {
        admin.then(202, RUN.replace("FAILED", "RUNNING"));

        assertThat(run("pipelines", "retry", "17").out())
                .isEqualToIgnoringNewLines("2 failed tasks get another chance; run 17 is RUNNING.");
        run("pipelines", "retry", "17", "--stage", "plan");
        run("pipelines", "retry", "17", "--task", "5", "6");
        run("pipelines", "retry", "17", "--task=5", "--task=6");

        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::body)
                .containsExactly(
                        "{}", "{\"stage\":\"plan\"}", "{\"taskIds\":[\"5\",\"6\"]}", "{\"taskIds\":[\"5\",\"6\"]}");
    }

    @Test
    void pausesAndResumesEverythingAPipelineOrAStage() {
        admin.then(200, PIPELINE);

        assertThat(run("pipelines", "pause").out()).isEqualToIgnoringNewLines("Everything is paused.");
        assertThat(run("pipelines", "pause", "books").out()).isEqualToIgnoringNewLines("Pipeline books is paused.");
        assertThat(run("pipelines", "pause", "books", "plan").out())
                .isEqualToIgnoringNewLines("Stage plan of pipeline books is paused.");
        assertThat(run("pipelines", "resume").out()).isEqualToIgnoringNewLines("Everything is resumed.");
        run("pipelines", "resume", "books");
        run("pipelines", "resume", "books", "plan");

        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::path)
                .containsExactly(
                        "/api/pipelines/pause",
                        "/api/pipelines/books/pause",
                        "/api/pipelines/books/stages/plan/pause",
                        "/api/pipelines/resume",
                        "/api/pipelines/books/resume",
                        "/api/pipelines/books/stages/plan/resume");
    }

    @Test
    void keepsThePostMortemInAFileOrPrintsIt() throws IOException {
        admin.then(200, "{\"run\":{}, \"n\":1}");
        Path file = directory.resolve("run.json");

        assertThat(run("pipelines", "post-mortem", "17").out()).isEqualToIgnoringNewLines("{\"run\":{}, \"n\":1}");
        CliRun kept = run("pipelines", "post-mortem", "17", "--out", file.toString());

        assertThat(kept.out()).contains("All that is known about run 17 is in " + file);
        assertThat(file).hasContent("{\"run\":{}, \"n\":1}");
    }

    @Test
    void listsAndRedrivesParkedEntries() {
        admin.then(200, """
                        {"items":[{"id":"3","kind":"WEBHOOK","destination":"press","jobId":"5","rootJobId":"17","attempts":10,
                          "lastError":"503","parkedAt":"2030-01-31T13:00:00Z"}]}
                        """).then(200, "{\"redriven\":2}");

        assertThat(run("outbox", "list").out()).isEqualToNormalizingNewlines("""
                        ID  DESTINATION  ROOT  TASK  TRIED  PARKED                ERROR
                        3   press        17    5     10     2030-01-31T13:00:00Z  503
                        """);
        assertThat(run("outbox", "redrive", "3", "4").out()).isEqualToIgnoringNewLines("2 are tried again.");
        assertThat(run("outbox", "redrive", "--all").out()).isEqualToIgnoringNewLines("2 are tried again.");

        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::body)
                .containsExactly("", "{\"ids\":[\"3\",\"4\"]}", "{\"all\":true}");
    }
}
