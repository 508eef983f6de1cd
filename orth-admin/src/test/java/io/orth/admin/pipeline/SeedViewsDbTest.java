package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.registry.Target;
import io.orth.protocol.StateTransition;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The SQL of hydrateAll's runbook, as it was written, against the views with its names. */
@Tag("must-kernel")
class SeedViewsDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private static final Path RUNBOOK = Path.of("..", "docs", "runbook", "pipelines.md");

    private static final String TRIAGE = "SELECT id, status, attempts, lockedAt, updated_at FROM hydration_jobs"
            + " WHERE status IN ('Pending','Claimed','Running') ORDER BY updated_at DESC LIMIT 50;";

    private static final String CANCEL = "UPDATE hydration_jobs SET status='Cancelled' WHERE id = '<rootJobId>'"
            + " AND status NOT IN ('Completed','Failed');";

    private static final String EXECUTIONS = "SELECT * FROM jobExecutionLog WHERE jobId = '<id>' ORDER BY id;";

    private static final String CONTENT = "SELECT contentRef, status, size FROM aIContentLog WHERE jobId = '<id>';";

    private static final String COUNT = """
            SELECT COUNT(*) FILTER (WHERE status='Completed') AS completed, COUNT(*) FILTER (WHERE status='Failed') AS failed
              FROM hydration_jobs WHERE rootJobId = %d
            """;

    private AdminFixture admin;
    private PipelineFixture given;
    private Target executor;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        given = admin.pipelines;
        executor = admin.executor(admin.group("workers"), "one", "http://127.0.0.1:9999");
        given.define("books", "courses");
    }

    @Test
    void triageListsOpenRootAndChildJobs() {
        long root = given.submit("books", "math", "art");
        List<TaskKey> keys = given.work("courses", executor);
        given.finish(executor, ok(keys.get(0)));

        List<Map<String, Object>> open = query(TRIAGE);

        assertThat(open)
                .extracting(row -> row.get("id"))
                .containsOnly(root, keys.get(1).taskId());
        assertThat(open).extracting(row -> row.get("status")).containsOnly("Running");
        assertThat(open.stream()
                        .filter(row -> !row.get("id").equals(root))
                        .findFirst()
                        .orElseThrow())
                .containsEntry("attempts", 1)
                .doesNotContainEntry("lockedat", null);
    }

    @Test
    void reconcilersCountSeesTheChildrenOfARoot() {
        long root = given.submit("books", "math", "art");
        List<TaskKey> keys = given.work("courses", executor);
        given.finish(executor, ok(keys.get(0)));

        assertThat(query(COUNT.formatted(root))).containsExactly(Map.of("completed", 1L, "failed", 0L));
    }

    @Test
    void dispatchersQueryReadsTheOutbox() {
        long root = given.submit("books", "math");
        String unsent = "SELECT * FROM outbox WHERE sentAt IS NULL FOR UPDATE SKIP LOCKED LIMIT 10";

        assertThat(query(unsent))
                .singleElement()
                .satisfies(entry -> assertThat(entry)
                        .containsKeys("id", "payload", "kind", "jobid", "sentat", "attempts")
                        .containsEntry("rootjobid", root));
        given.dispatch();

        assertThat(query(unsent)).isEmpty();
    }

    @Test
    void postMortemQueriesReadLogsUnderTheirNames() {
        given.submit("books", "math");
        TaskKey key = given.work("courses", executor).get(0);
        given.content(executor, key, "s3://here");
        given.finish(executor, ok(key));

        assertThat(query(EXECUTIONS.replace("<id>", Long.toString(key.taskId()))))
                .extracting(row -> row.get("phase"))
                .containsExactly("start", "summary");
        assertThat(query(CONTENT.replace("<id>", Long.toString(key.taskId()))))
                .containsExactly(Map.of("contentref", "s3://here", "status", "ready", "size", 10L));
        assertThat(query("SELECT * FROM job_execution_log")).isEqualTo(query("SELECT * FROM jobExecutionLog"));
        assertThat(query("SELECT * FROM ai_content_log")).isEqualTo(query("SELECT * FROM aIContentLog"));
    }

    @Test
    void showsResultOfRunAsResultMetadata() {
        long none = given.submit("books", "math");
        long linked = given.submit("books", "math");
        long described = given.submit("books", "math");
        long failed = given.submit("books", "math");
        List<PipelineRunResult.Link> links = List.of(new PipelineRunResult.Link("report", "https://example.org/1"));
        given.runs.setResult(linked, new PipelineRunResult(null, links));
        given.runs.setResult(described, new PipelineRunResult("{\"pages\":3,\"index\":null}", links));
        given.runs.setResult(failed, new PipelineRunResult("{\"pages\":0}", List.of()));
        admin.jdbc
                .sql("update orth_pipeline_run set failure = '{\"code\":\"TOO_MANY_FAILURES\"}' where id = :id")
                .param("id", failed)
                .update();

        assertThat(resultMetadata(none)).isNull();
        assertThat(resultMetadata(linked))
                .isEqualTo("{\"links\": [{\"url\": \"https://example.org/1\", \"name\": \"report\"}]}");
        assertThat(resultMetadata(described))
                .isEqualTo("{\"links\": [{\"url\": \"https://example.org/1\", \"name\": \"report\"}],"
                        + " \"result\": {\"index\": null, \"pages\": 3}}");
        assertThat(resultMetadata(failed)).isEqualTo("{\"code\": \"TOO_MANY_FAILURES\"}");
        assertThat(cancel(none)).as("cancelling works as before").isEqualTo(1);
    }

    private String resultMetadata(long root) {
        return (String) query("SELECT resultMetadata::text AS metadata FROM hydration_jobs WHERE id = " + root)
                .get(0)
                .get("metadata");
    }

    @Test
    void cancelsARootJobAsTheApiDoes() {
        long root = given.submit("books", "math", "art");
        List<TaskKey> keys = given.work("courses", executor);

        assertThat(cancel(root)).isEqualTo(1);
        given.reconcile();

        assertThat(given.statusOf(root)).isEqualTo(PipelineRunStatus.CANCELLED);
        assertThat(given.tasksOf(root, 0)).containsExactlyInAnyOrder("math CANCELLED", "art CANCELLED");
        assertThat(given.journalOf(EntityKind.PIPELINE_RUN, root))
                .containsExactly("null->PENDING SUBMITTED", "PENDING->RUNNING BEGUN", "RUNNING->CANCELLED CANCELLED");
        List<StateTransition> journal = admin.journal.list(EntityKind.PIPELINE_RUN, root);
        assertThat(journal.get(2).sequence()).isEqualTo(journal.get(1).sequence() + 1);
        assertThat(journal.get(2).traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(query(
                        "SELECT payload ->> 'reason' AS reason FROM jobExecutionLog WHERE jobId = %d AND phase = 'step'"
                                .formatted(root)))
                .contains(Map.of("reason", "UPDATE hydration_jobs"));
        assertThat(given.finish(executor, ok(keys.get(0)))).hasToString("CANCELLED");
    }

    @Test
    void changesNoFinishedRootJob() {
        long root = given.submit("books", "math");
        given.work("courses", executor).forEach(key -> given.finish(executor, ok(key)));
        given.reconcile();

        assertThat(cancel(root)).isZero();
        assertThat(admin.jdbc
                        .sql("UPDATE hydration_jobs SET status='Cancelled' WHERE id = " + root)
                        .update())
                .isZero();

        assertThat(given.statusOf(root)).isEqualTo(PipelineRunStatus.COMPLETED);
    }

    @Test
    void cancelsOnce() {
        long root = given.submit("books", "math");

        assertThat(cancel(root)).isEqualTo(1);
        assertThat(cancel(root)).isZero();

        assertThat(given.journalOf(EntityKind.PIPELINE_RUN, root)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE hydration_jobs SET status='Completed'",
                "UPDATE hydration_jobs SET status='Cancelled', attempts = 0",
                "UPDATE hydration_jobs SET status='Cancelled' WHERE rootJobId IS NOT NULL",
                "DELETE FROM hydration_jobs",
                "UPDATE outbox SET sentAt=now(), attempts=attempts+1",
                "DELETE FROM outbox",
                "DELETE FROM jobExecutionLog",
                "DELETE FROM job_execution_log",
                "INSERT INTO aIContentLog (jobId, contentRef, status) VALUES (1, 'x', 'ready')",
                "INSERT INTO ai_content_log (jobId, contentRef, status) VALUES (1, 'x', 'ready')"
            })
    void rejectsEveryOtherWrite(String statement) {
        given.submit("books", "math");

        assertThatThrownBy(() -> admin.jdbc.sql(statement).update())
                .hasMessageMatching("(?s).*(read-only view|accepts only|only root jobs).*");
    }

    @Test
    void runbookContainsThem() throws IOException {
        assertThat(Files.readString(RUNBOOK)).contains(TRIAGE, CANCEL, EXECUTIONS, CONTENT);
    }

    @Test
    void runbookQueriesWorkWithItsConnectionOptions() throws Exception {
        long root = given.submit("books", "math");
        Matcher options = Pattern.compile("psql \"postgresql://[^?\"]+([?]options=[^\"]+)\"")
                .matcher(Files.readString(RUNBOOK));
        assertThat(options.find()).isTrue();
        String server = db.url().replaceFirst("[?].*", "");

        try (Connection connection = DriverManager.getConnection(server + options.group(1), db.user(), db.password());
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery(TRIAGE)) {
                assertThat(rows.next()).isTrue();
            }
            for (String query : List.of(EXECUTIONS, CONTENT)) {
                statement
                        .executeQuery(query.replace("<id>", Long.toString(root)))
                        .close();
            }
            assertThat(statement.executeUpdate(CANCEL.replace("<rootJobId>", Long.toString(root))))
                    .isEqualTo(1);
        }
        assertThat(given.statusOf(root)).isEqualTo(PipelineRunStatus.CANCELLED);
    }

    private int cancel(long root) {
        return admin.jdbc
                .sql(CANCEL.replace("<rootJobId>", Long.toString(root)))
                .update();
    }

    private List<Map<String, Object>> query(String statement) {
        return admin.jdbc.sql(statement.replace(";", "")).query().listOfRows();
    }
}
