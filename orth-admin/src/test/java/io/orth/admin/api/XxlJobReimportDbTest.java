package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.xxlimport.TestMariaDb;
import io.orth.admin.xxlimport.XxlJobTables;
import io.orth.admin.xxlimport.XxlJobTables.Generation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Imports that are repeated while the XXL-JOB installation changes. */
@Tag("must-first")
class XxlJobReimportDbTest {

    private static final String PATH = "/api/xxl-job-imports";
    private static final AtomicInteger NAMES = new AtomicInteger();

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    @RegisterExtension
    static final TestMariaDb mariaDb = new TestMariaDb();

    private SecuredClient api;
    private XxlJobTables tables;

    @BeforeEach
    void setUp() {
        api = admin.api();
        tables = mariaDb.xxlJob(Generation.V3_2).group(1, "xxl-again-%d".formatted(NAMES.incrementAndGet()), "g");
    }

    @Test
    void linksParentsByJobIdRegardlessOfName() {
        tables.job(1, 1, "sync", "executor_handler", "deleteOldOrders")
                .job(2, 1, "sync", "executor_handler", "sendInvoices");
        JsonNode first = imported();

        tables.sql("delete from xxl_job_info where id = 1").job(3, 1, "month end", "child_jobid", "2");
        JsonNode second = imported();

        assertThat(outcome(second, 2)).isEqualTo("EXISTS");
        assertThat(id(second, 2)).isEqualTo(id(first, 2));
        JsonNode child =
                job(job(second, 3).path("children").path(0).path("jobId").asString());
        assertThat(child.path("handler").asString()).isEqualTo("sendInvoices");
        assertThat(drift(second, 1)).containsExactly("id: 1 -> null");
        assertThat(id(second, 1)).isEqualTo(id(first, 1));
    }

    @Test
    void reservesNamesOfImportedJobs() {
        tables.job(1, 1, "sync", "executor_handler", "deleteOldOrders");
        JsonNode first = imported();

        tables.sql("delete from xxl_job_info where id = 1").job(2, 1, "sync", "executor_handler", "sendInvoices");
        JsonNode second = imported();

        assertThat(outcome(second, 2)).isEqualTo("CREATED");
        assertThat(entry(second, 2).path("name").asString()).isEqualTo("sync (2)");
        assertThat(id(second, 2)).isNotEqualTo(id(first, 1));
    }

    @Test
    void reportsSourceChangesWithoutApplyingThem() {
        tables.job(
                        1,
                        1,
                        "nightly",
                        "schedule_type",
                        "CRON",
                        "schedule_conf",
                        "0 0 3 * * ?",
                        "executor_param",
                        "a",
                        "trigger_status",
                        1)
                .job(2, 1, "script", "glue_type", "GLUE_SHELL", "glue_source", "echo 1")
                .job(3, 1, "as it was");
        JsonNode first = imported();
        JsonNode before = job(id(first, 1));

        tables.sql("""
                        update xxl_job_info
                           set job_desc = 'renamed', schedule_conf = '0 0 4 * * ?', executor_handler = 'other',
                               executor_param = 'b', executor_timeout = 9, trigger_status = 0, child_jobid = '3'
                         where id = 1
                        """);
        tables.sql("update xxl_job_info set glue_source = 'echo 2' where id = 2");
        JsonNode tried = api.post(PATH + "/preview", body("127.0.0.1")).json();
        JsonNode second = imported();

        assertThat(second.path("jobs").path("exists").asInt()).isEqualTo(3);
        assertThat(second.path("jobs").path("created").asInt()).isZero();
        assertThat(outcome(second, 1)).isEqualTo("EXISTS");
        assertThat(entry(second, 1).path("name").asString()).isEqualTo("nightly");
        assertThat(drift(second, 1))
                .containsExactly(
                        "job_desc: nightly -> renamed",
                        "schedule_conf: 0 0 3 * * ? -> 0 0 4 * * ?",
                        "executor_timeout: 0 -> 9",
                        "executor_handler: demoJobHandler -> other",
                        "executor_param: a -> b",
                        "child_jobid:  -> 3",
                        "trigger_status: running -> stopped");
        assertThat(drift(second, 2)).singleElement().asString().startsWith("glue_source: 6 characters, SHA-256 ");
        assertThat(drift(second, 3)).isEmpty();
        assertThat(tried.path("entries")).isEqualTo(second.path("entries"));
        assertThat(job(id(first, 1))).isEqualTo(before);
        assertThat(drift(imported(), 1))
                .as("it is reported until the job is imported anew")
                .hasSize(7);
    }

    @Test
    void findsAJobThatWasRenamedHere() {
        tables.job(1, 1, "sync");
        String id = id(imported(), 1);
        admin.jdbc()
                .sql("update orth_job set name = 'sync of orders', handler = 'moved' where id = :id")
                .param("id", Integer.parseInt(id))
                .update();

        JsonNode second = imported();

        assertThat(id(second, 1)).isEqualTo(id);
        assertThat(entry(second, 1).path("name").asString()).isEqualTo("sync of orders");
        assertThat(drift(second, 1)).isEmpty();
    }

    @Test
    void importsAJobAgainThatWasDeletedHere() {
        tables.job(1, 1, "sync");
        String id = id(imported(), 1);
        api.delete("/api/jobs/" + id);

        JsonNode second = imported();

        assertThat(outcome(second, 1)).isEqualTo("CREATED");
        assertThat(id(second, 1)).isNotEqualTo(id);
    }

    /** The same database under another name is another installation, whose ids say nothing. */
    @Test
    void adoptsJobOfSameNameOnlyIfItRunsTheSame() {
        tables.job(1, 1, "sync", "executor_handler", "deleteOldOrders")
                .job(2, 1, "sync", "executor_handler", "sendInvoices")
                .job(4, 1, "same", "schedule_type", "FIX_RATE", "schedule_conf", "60")
                .job(5, 1, "script", "glue_type", "GLUE_SHELL", "glue_source", "echo 1");
        JsonNode first = imported();

        tables.sql("delete from xxl_job_info where id = 1").job(3, 1, "month end", "child_jobid", "2");
        tables.sql("update xxl_job_info set glue_source = 'echo 2' where id = 5");
        JsonNode second = imported("localhost");

        assertThat(outcome(second, 4)).isEqualTo("EXISTS");
        assertThat(id(second, 4)).isEqualTo(id(first, 4));
        assertThat(outcome(second, 2)).isEqualTo("FAILED");
        assertThat(entry(second, 2).path("problem").asString())
                .contains("its handler is 'deleteOldOrders' here, 'sendInvoices' there");
        assertThat(outcome(second, 5)).isEqualTo("FAILED");
        assertThat(entry(second, 5).path("problem").asString()).contains("its source is another text");
        assertThat(job(second, 3).path("children")).isEmpty();
        assertThat(entry(second, 3).path("notMapped").path(0).asString()).isEqualTo("child 2 was not imported");

        tables.sql("update xxl_job_info set schedule_conf = '30' where id = 4");
        assertThat(drift(imported("localhost"), 4)).containsExactly("schedule_conf: 60 -> 30");
    }

    private String body(String host) {
        return """
                {"host":"%s","port":%d,"database":"%s","user":"%s","password":"%s","zone":"UTC"}
                """.formatted(host, mariaDb.port(), tables.name(), XxlJobTables.USER, XxlJobTables.PASSWORD);
    }

    private JsonNode imported() {
        return imported("127.0.0.1");
    }

    private JsonNode imported(String host) {
        Answer answer = api.post(PATH, body(host));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static JsonNode entry(JsonNode report, int sourceId) {
        return StreamSupport.stream(report.path("entries").spliterator(), false)
                .filter(each -> each.path("kind").asString().equals("JOB")
                        && each.path("sourceId").asString().equals(Integer.toString(sourceId)))
                .findFirst()
                .orElseThrow();
    }

    private static String outcome(JsonNode report, int sourceId) {
        return entry(report, sourceId).path("outcome").asString();
    }

    private static String id(JsonNode report, int sourceId) {
        return entry(report, sourceId).path("id").asString();
    }

    private static List<String> drift(JsonNode report, int sourceId) {
        List<String> drift = new ArrayList<>();
        entry(report, sourceId)
                .path("drift")
                .forEach(each -> drift.add("%s: %s -> %s"
                        .formatted(
                                each.path("field").asString(),
                                each.path("imported").asString(),
                                each.path("current").isNull()
                                        ? "null"
                                        : each.path("current").asString())));
        return drift;
    }

    private JsonNode job(JsonNode report, int sourceId) {
        return job(id(report, sourceId));
    }

    private JsonNode job(String id) {
        return api.get("/api/jobs/" + id).json();
    }
}
