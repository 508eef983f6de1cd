package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.JsonObject;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The runbook of pipelines, step by step, typed as it is printed, with a real admin, executor and command line. */
@Tag("must-pipelines")
class RunbookE2eTest {

    private static final Path RUNBOOK = Installation.ROOT.resolve("docs/runbook/pipelines.md");
    private static final Pattern COMMAND = Pattern.compile("`(\\./orth cli [^`]+)`");
    private static final String QUEUE = "pipeline.%s.books".formatted(WitnessExecutor.PIPELINE);

    /** A handler of the witness fails the first time for what ends with -3. */
    private static final String DEFINITION = """
            stages:
            - {name: books, handler: books, maxAttempts: 1, concurrency: 2}
            - {name: chapters, handler: chapters, maxAttempts: 1}
            - {name: pages, handler: pages, maxAttempts: 5, backoff: {initialDelay: PT0.1S, multiplier: 1, maxDelay: PT1S}}
            """;

    private static final String SCOPE = """
            {"targets": [{"targetType": "book", "targetId": "a-3"}, {"targetType": "book", "targetId": "b-3"},
                         {"targetType": "book", "targetId": "c-3"}]}
            """;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    private final String java = Installation.javas().get(Installation.javas().size() - 1);
    private Cluster cluster;
    private Api api;
    private CliShell shell;
    private String root;

    @Test
    void everyRunbookStepWorks() throws IOException {
        try (Cluster all = new Cluster(Database.of(db), directory, List.of("orth.pipeline.audit-every=1h"))) {
            cluster = all;
            AdminProgram admin = cluster.addAdmin(java).awaitReady();
            api = admin.api();
            cluster.startExecutor(api, java);
            shell = new CliShell(directory.resolve("shell"), java, admin);

            beforeALargeRun();
            aRunIsStuck();
            tasksCouldNotBeSent();
            aMessageGotLost();
            tasksHaveFailed();
            aRunMustStop();
            afterwards();

            assertThat(shell.typed()).containsAll(commandsOfTheRunbook());
        }
    }

    private static List<String> commandsOfTheRunbook() throws IOException {
        List<String> commands = COMMAND.matcher(Files.readString(RUNBOOK))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(commands).hasSizeGreaterThan(20);
        return commands;
    }

    private void beforeALargeRun() {
        shell.set("PIPELINE", WitnessExecutor.PIPELINE);
        shell.set("STAGE", "books");
        shell.file("pipeline.yaml", DEFINITION);
        shell.file("scope.json", SCOPE);
        shell.file("options.json", "{\"parts\": 3, \"millis\": 0}");
        assertThat(shell.run("./orth cli pipelines define $PIPELINE pipeline.yaml"))
                .contains("has version 1, with 3 stages");
        assertThat(shell.run("./orth cli pipelines submit $PIPELINE --scope @scope.json --dry-run"))
                .startsWith("Nothing was started of witnessed");

        shell.run("./orth cli pipelines pause $PIPELINE $STAGE");
        shell.run("./orth cli pipelines pause $PIPELINE");
        shell.run("./orth cli pipelines pause");
        assertThat(shell.run("./orth cli pipelines list"))
                .contains("books (paused) > chapters > pages", "All pipelines are paused.")
                .containsPattern("witnessed +1 +yes");
        shell.run("./orth cli pipelines resume");
        shell.run("./orth cli pipelines resume $PIPELINE");

        String submit =
                "./orth cli pipelines submit $PIPELINE --scope @scope.json --options @options.json --key spring-term";
        root = first("Run ([0-9]+) of witnessed, version 1 is PENDING", shell.run(submit));
        assertThat(shell.run(submit)).contains("Run %s of witnessed".formatted(root), "was submitted before");
        shell.set("ROOT", root);
    }

    /** Its first stage is still paused. */
    private void aRunIsStuck() {
        assertThat(shell.run("./orth cli pipelines runs --pipeline $PIPELINE")).contains(root);
        assertThat(shell.run("./orth cli pipelines show $ROOT")).containsPattern("books +RUNNING +yes +3 +0 +0 +0 +3");
        assertThat(shell.run("./orth cli pipelines stuck")).contains("book/a-3", "book/b-3", "book/c-3");
    }

    private void tasksCouldNotBeSent() {
        assertThat(cluster.sql()
                        .sql("update orth_outbox set parked_at = now(), last_error = 'no luck'")
                        .update())
                .isEqualTo(3);

        String parked = shell.run("./orth cli outbox list");
        assertThat(parked).contains(QUEUE, "no luck");
        shell.set("ID", first("(?m)^([0-9]+) ", parked));
        assertThat(shell.run("./orth cli outbox redrive $ID")).startsWith("1 are tried again");
        assertThat(shell.run("./orth cli outbox redrive --all")).startsWith("2 are tried again");
    }

    /** All three wait in a paused queue until one of them is deleted. */
    private void aMessageGotLost() {
        api.post("/api/queues/%s/pause".formatted(QUEUE), Map.of());
        shell.run("./orth cli pipelines resume $PIPELINE $STAGE");
        await().atMost(Duration.ofSeconds(30)).until(() -> messages() == 3);
        shell.set("QUEUE", QUEUE);
        assertThat(shell.run("./orth cli queues show $QUEUE")).containsPattern("witnesses +yes +3 +0 +0 +1");
        cluster.sql()
                .sql("delete from orth_message where id = (select min(id) from orth_message)")
                .update();
        cluster.sql()
                .sql("update orth_pipeline_task set status_at = status_at - interval '2 minutes'")
                .update();

        assertThat(shell.run("./orth cli reconcile --rootJobId=$ROOT"))
                .contains("this would be done:", "ORPHAN_MESSAGE: 1");
        assertThat(shell.run("./orth cli reconcile")).contains("this would be done:", "ORPHAN_MESSAGE: 1");
        assertThat(messages()).isEqualTo(2);
        assertThat(shell.run("./orth cli reconcile --rootJobId=$ROOT --dryRun=false"))
                .contains("this was done:", "ORPHAN_MESSAGE: 1");
        await().atMost(Duration.ofSeconds(30)).until(() -> messages() == 3);

        api.post("/api/queues/%s/resume".formatted(QUEUE), Map.of());
        awaitStage("FAILED", 0, "0 of 3, 3 failed");
    }

    private int messages() {
        return cluster.count("select count(*) from orth_message");
    }

    private void tasksHaveFailed() {
        String failed = shell.run("./orth cli pipelines tasks $ROOT --status FAILED");
        assertThat(failed).contains("book/a-3", "book/b-3", "book/c-3", "HANDLER_FAILED", "as it was told");
        shell.set("TASK", first("(?m)^([0-9]+) ", failed));

        assertThat(shell.run("./orth cli pipelines retry $ROOT --task $TASK")).startsWith("1 failed tasks");
        awaitStage("FAILED", 0, "1 of 3, 2 failed");
        assertThat(shell.run("./orth cli pipelines retry $ROOT --stage $STAGE")).startsWith("2 failed tasks");
        awaitStage("FAILED", 1, "6 of 9, 3 failed");
        assertThat(shell.run("./orth cli pipelines retry $ROOT")).startsWith("3 failed tasks");
        awaitStage("COMPLETED", 2, "27 of 27, 0 failed");
    }

    private void aRunMustStop() {
        root = api.post(
                        "/api/pipelines/%s/runs".formatted(WitnessExecutor.PIPELINE),
                        Map.of("options", Map.of("parts", 1, "millis", 10_000)))
                .requiredText("rootJobId");
        shell.set("ROOT", root);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> cluster.count("select count(*) from orth_pipeline_task where status = 'RUNNING'") == 1);

        assertThat(shell.run("./orth cli pipelines cancel $ROOT --reason \"too dear\""))
                .startsWith("Run %s is CANCELLED; 1 tasks were not over.".formatted(root));

        await().atMost(Duration.ofSeconds(30))
                .until(() -> cluster.count("select count(*) from orth_pipeline_task where status = 'CANCELLED'") == 1);
    }

    private void afterwards() throws IOException {
        shell.run("./orth cli pipelines post-mortem $ROOT --out run.json");

        JsonObject run = api.get("/api/pipeline-runs/" + root);
        assertThat(Files.readString(directory.resolve("shell/run.json")))
                .contains("too dear", run.requiredText("traceId"), "\"executionLog\"", "\"transitions\"");
    }

    /** Waits until the run and one of its stages are like this. */
    private void awaitStage(String status, int stage, String how) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonObject run = api.get("/api/pipeline-runs/" + root);
            JsonObject one = run.objects("stages").get(stage);
            assertThat("%s: %s of %s, %s failed"
                            .formatted(
                                    run.text("status"),
                                    one.text("completed"),
                                    one.text("expected"),
                                    one.text("failed")))
                    .isEqualTo("%s: %s".formatted(status, how));
        });
    }

    private static String first(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as("%s in %s", pattern, text).isTrue();
        return found.group(1);
    }
}
