package io.orth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.ScriptedAdmin;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reconciling from the terminal: without doing anything unless that is said. */
@Tag("must-pipelines")
class ReconcileTest {

    private static final String REPORT = """
            {"rootJobId":"17","dryRun":%b,"status":"RUNNING","actions":[{"kind":"RESENT","stage":"plan","count":3},
             {"kind":"STAGE_OVER","stage":null,"count":1}]}
            """;

    private ScriptedAdmin admin;

    @BeforeEach
    void start() throws IOException {
        admin = new ScriptedAdmin();
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    @ParameterizedTest
    @CsvSource({",true", "--dryRun,true", "--dryRun=true,true", "--dryRun=false,false"})
    void repairsOnlyWithoutDryRun(String option, boolean dry) {
        admin.then(200, REPORT.formatted(dry));

        CliRun run = option == null
                ? CliRun.at(admin.url(), "reconcile", "--rootJobId=17")
                : CliRun.at(admin.url(), "reconcile", "--rootJobId=17", option);

        assertThat(run.code()).isZero();
        assertThat(admin.calls.get(0).path()).isEqualTo("/api/pipelines/reconcile");
        assertThat(admin.calls.get(0).body()).contains("\"rootJobId\":\"17\"", "\"dryRun\":" + dry);
        assertThat(run.out()).isEqualToNormalizingNewlines("""
                        Run 17 is RUNNING; this %s done:
                          RESENT plan: 3
                          STAGE_OVER: 1
                        """.formatted(dry ? "would be" : "was"));
    }

    @Test
    void rejectsValueThatIsNoBoolean() {
        CliRun run = CliRun.at(admin.url(), "reconcile", "--rootJobId", "17", "--dryRun=no");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--dryRun").contains("'no'");
        assertThat(admin.calls).isEmpty();
    }

    @Test
    void reconcilesAllUnfinishedRunsByDefault() {
        admin.then(200, "{\"items\":[" + run(1) + "],\"next\":\"1\"}")
                .then(200, "{\"items\":[" + run(2) + "]}")
                .then(200, "{\"items\":[" + run(3) + "]}")
                .then(200, "{\"rootJobId\":\"1\",\"dryRun\":true,\"status\":\"RUNNING\",\"actions\":[]}")
                .then(404, "{\"code\":\"NOT_FOUND\",\"detail\":\"there is no pipeline run 2\"}")
                .then(200, REPORT.formatted(true));

        CliRun run = CliRun.at(admin.url(), "reconcile");

        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::path)
                .containsExactly(
                        "/api/pipeline-runs?status=RUNNING&limit=500",
                        "/api/pipeline-runs?status=RUNNING&limit=500&after=1",
                        "/api/pipeline-runs?status=PENDING&limit=500",
                        "/api/pipelines/reconcile",
                        "/api/pipelines/reconcile",
                        "/api/pipelines/reconcile");
        assertThat(run.out())
                .startsWith("Run 1 is RUNNING; there is nothing to be done.")
                .contains("RESENT plan: 3");
        assertThat(run.err())
                .isEqualToIgnoringNewLines("run 2: the admin refused (NOT_FOUND): there is no pipeline run 2");
        assertThat(run.code()).isEqualTo(1);
    }

    private static String run(int id) {
        return "{\"id\":\"%d\",\"status\":\"RUNNING\"}".formatted(id);
    }

    @Test
    void reportsWhenNoRunIsUnfinished() {
        admin.then(200, "{\"items\":[]}");

        CliRun run = CliRun.at(admin.url(), "reconcile", "--dryRun=false");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEqualToIgnoringNewLines("There are no runs that are not over.");
    }

    @Test
    void printsOneJsonResponsePerLine() {
        admin.then(200, "{\"items\":[" + run(1) + "," + run(2) + "]}")
                .then(200, "{\"items\":[]}")
                .then(200, "{\"rootJobId\":\"1\",\"dryRun\":true,\"status\":\"RUNNING\"}")
                .then(200, "{\"rootJobId\":\"2\",\"dryRun\":true,\"status\":\"RUNNING\"}");

        assertThat(CliRun.at(admin.url(), "reconcile", "--json").out()).isEqualToNormalizingNewlines("""
                        {"rootJobId":"1","dryRun":true,"status":"RUNNING"}
                        {"rootJobId":"2","dryRun":true,"status":"RUNNING"}
                        """);
    }
}
