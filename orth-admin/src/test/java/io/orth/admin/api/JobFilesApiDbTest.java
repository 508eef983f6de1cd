package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Tag("must-runs")
class JobFilesApiDbTest {

    private static final AtomicInteger NAMES = new AtomicInteger();

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private SecuredClient api;
    private String group;
    private String groupId;

    @BeforeEach
    void setUp() {
        api = admin.api();
        group = "files-%d".formatted(NAMES.incrementAndGet());
        groupId = api.post("/api/groups", "{\"name\":\"%s\"}".formatted(group))
                .json()
                .path("id")
                .asString();
    }

    private String twoJobs() {
        return """
                jobs:
                - name: Nightly
                  group: %1$s
                  handler: nightly
                  param: '{"day": 1}'
                  schedule: {type: CRON, cron: "0 0 3 * * ?", zone: Europe/Berlin}
                  timeoutSeconds: 60
                - name: Once
                  group: %1$s
                  glue:
                    type: GLUE_SHELL
                    source: |
                      echo one
                      echo two
                  schedule: {type: ONE_SHOT, at: 2199-01-01T00:00:00Z}
                  enabled: false
                """.formatted(group);
    }

    private Answer importYaml(String yaml, String query) {
        return admin.api().header("Content-Type", "application/yaml").post("/api/jobs/import" + query, yaml);
    }

    private JsonNode jobsOfGroup() {
        return api.get("/api/jobs?groupId=" + groupId).json().path("items");
    }

    @Test
    void importsFileAfterDryRunAndIsIdempotent() {
        JsonNode tried = importYaml(twoJobs(), "?dryRun=true").json();
        assertThat(tried.path("created").asInt()).isEqualTo(2);
        assertThat(jobsOfGroup()).isEmpty();

        JsonNode taken = importYaml(twoJobs(), "").json();
        assertThat(taken.path("created").asInt()).isEqualTo(2);
        assertThat(taken.path("jobs").path(1).path("outcome").asString()).isEqualTo("CREATED");
        JsonNode job = api.get(
                        "/api/jobs/" + taken.path("jobs").path(1).path("id").asString())
                .json();
        assertThat(job.path("glue").path("source").asString()).isEqualTo("echo one\necho two\n");
        assertThat(job.path("schedule").path("at").asString()).isEqualTo("2199-01-01T00:00:00Z");
        assertThat(job.path("enabled").asBoolean()).isFalse();

        JsonNode again = importYaml(twoJobs(), "").json();
        assertThat(again.path("unchanged").asInt()).isEqualTo(2);
        assertThat(jobsOfGroup()).allMatch(each -> each.path("version").asInt() == 1);

        JsonNode changed =
                importYaml(twoJobs().replace("echo two", "echo three"), "").json();
        assertThat(changed.path("updated").asInt()).isEqualTo(1);
        assertThat(changed.path("unchanged").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yaml", "json"})
    void importsExportedJobs(String format) {
        importYaml(twoJobs(), "");

        Answer exported = api.get("/api/jobs/export?groupId=%s&format=%s".formatted(groupId, format));

        assertThat(exported.header("Content-Disposition")).contains("orth-jobs." + format);
        jobsOfGroup().forEach(job -> api.delete("/api/jobs/" + job.path("id").asString()));
        Answer back =
                admin.api().header("Content-Type", "application/" + format).post("/api/jobs/import", exported.body());
        assertThat(back.json().path("created").asInt()).isEqualTo(2);
        assertThat(api.get("/api/jobs/export?groupId=%s&format=%s".formatted(groupId, format))
                        .body())
                .isEqualTo(exported.body());
    }

    @Test
    void rejectsExportThatWouldBeTooLarge() {
        importYaml(twoJobs(), "");
        admin.jdbc().sql("""
                        with many as (
                            insert into orth_job (name, group_id, param, schedule_type, misfire, enabled, glue_type, source_version)
                            select 'large ' || n, :group, '', 'NONE', 'FIRE_ONCE', false, 'GLUE_SHELL', 1
                              from generate_series(1, 17) n
                            returning id
                        )
                        insert into orth_job_source (job_id, version, type, source, note, author, created_at)
                        select id, 1, 'GLUE_SHELL', repeat('x', 1000000), '', '', now() from many
                        """).param("group", Integer.valueOf(groupId)).update();

        Answer refused = api.get("/api/jobs/export?groupId=" + groupId);

        assertThat(refused.code()).isEqualTo("INVALID_INPUT");
        assertThat(refused.json().path("detail").asString()).contains("characters of source");
        assertThat(api.get("/api/jobs/export?q=Nightly&groupId=" + groupId).status())
                .isEqualTo(200);
        jobsOfGroup().forEach(job -> api.delete("/api/jobs/" + job.path("id").asString()));
    }

    @Test
    void sourceStaysReadableInTheExportedYaml() {
        importYaml(twoJobs(), "");

        String exported = api.get("/api/jobs/export?groupId=" + groupId).body();

        assertThat(exported)
                .contains("source: |", "      echo one\n", "group: " + group)
                .doesNotContain("null", "nextFireAt", "groupId");
    }

    @Test
    void importsNothingIfOneJobIsInvalid() {
        Answer refused = importYaml(twoJobs().replace("0 0 3 * * ?", "0 0 25 * * ?"), "");

        assertThat(refused.code()).isEqualTo("INVALID_INPUT");
        assertThat(refused.json().path("errors").path(0).path("field").asString())
                .isEqualTo("jobs[0].schedule.cron");
        assertThat(jobsOfGroup()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jobs                  | jobs: 5
            jobs                  | name: x
            jobs[0]               | jobs: [5]
            jobs[0].group         | jobs: [{name: a, handler: h}]
            jobs[0].group         | jobs: [{name: a, handler: h, group: no-such-group}]
            jobs[0].groupId       | jobs: [{name: a, handler: h, groupId: '1'}]
            jobs[0].version       | jobs: [{name: a, handler: h, group: GROUP, version: 1}]
            jobs[0].nonsense      | jobs: [{name: a, handler: h, group: GROUP, nonsense: 1}]
            jobs[0].param         | jobs: [{name: a, handler: h, group: GROUP, param: 5}]
            jobs[0].handler       | jobs: [{name: a, group: GROUP}]
            jobs[0].misfire       | jobs: [{name: a, handler: h, group: GROUP, misfire: SOMETIMES}]
            jobs[1].name          | jobs: [{name: a, handler: h, group: GROUP}, {name: a, handler: i, group: GROUP}]
            file                  | jobs: [{name: a, name: b}]
            file                  | jobs: [
            file                  | jobs: !!javax.script.ScriptEngineManager []
            """)
    void aBadFileNamesItsField(String field, String yaml) {
        Answer refused = importYaml(yaml.replace("GROUP", group), "");

        assertThat(refused.code()).isEqualTo("INVALID_INPUT");
        assertThat(refused.json().path("errors").path(0).path("field").asString())
                .isEqualTo(field);
        assertThat(jobsOfGroup()).isEmpty();
    }

    @Test
    void rejectsYamlBombs() {
        String laughs = """
                a: &a [x,x,x,x,x,x,x,x,x]
                b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
                c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
                jobs: [*c,*c,*c,*c,*c,*c,*c,*c,*c]
                """;
        assertThat(importYaml(laughs, "").code()).isEqualTo("INVALID_INPUT");
        assertThat(importYaml("jobs: " + "[".repeat(50_000), "").code()).isEqualTo("INVALID_INPUT");
        StringBuilder many = new StringBuilder("jobs:\n");
        for (int i = 0; i < 1_001; i++) {
            many.append("- {name: j%d, handler: h, group: %s}\n".formatted(i, group));
        }
        assertThat(importYaml(many.toString(), "").json().path("detail").asString())
                .contains("at most 1000");
    }

    @ParameterizedTest
    @Tag("must-first")
    @CsvSource(
            delimiter = '|',
            value = {"a: &a [*a]|alias a", "jobs: [[[[[[[[[[[[|not valid YAML"})
    void rejectsExpandingFile(String yaml, String why) {
        Answer refused = importYaml(yaml, "?dryRun=true");

        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(refused.json().path("detail").asString()).contains(why);
    }

    @Test
    @Tag("must-first")
    void rejectsExpandingFileOfAliases() {
        StringBuilder yaml = new StringBuilder("a0: &a0 [" + "1,".repeat(99_000) + "1]\n");
        for (int i = 1; i <= 6; i++) {
            yaml.append("a%d: &a%d [*a%d,*a%d,*a%d]%n".formatted(i, i, i - 1, i - 1, i - 1));
        }

        Answer refused = importYaml(yaml.toString(), "?dryRun=true");

        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(refused.json().path("detail").asString())
                .contains("line 2", "more than 100000 values, those that aliases repeat included");
    }

    @Test
    void anOperatorMayImportEverythingButSource() {
        String secret = api.post("/api/tokens", "{\"name\":\"of %s\",\"role\":\"OPERATOR\"}".formatted(group))
                .json()
                .path("token")
                .asString();

        JsonNode done = admin.anonymous()
                .bearer(secret)
                .header("Content-Type", "application/yaml")
                .post("/api/jobs/import", twoJobs())
                .json();

        assertThat(done.path("created").asInt()).isEqualTo(1);
        assertThat(done.path("failed").asInt()).isEqualTo(1);
        assertThat(done.path("jobs").path(1).path("problem").asString()).contains("administrator");
    }

    @Test
    void aJobIsPutByItsGroupAndName() {
        String body = "{\"name\":\"a\",\"group\":\"%s\",\"handler\":\"%s\"}";

        Answer made = api.put("/api/jobs", body.formatted(group, "h"));
        Answer same = api.put("/api/jobs", body.formatted(group, "h"));
        Answer other = api.put("/api/jobs", body.formatted(group, "i"));

        assertThat(made.status()).isEqualTo(201);
        assertThat(same.status()).isEqualTo(200);
        assertThat(same.json().path("version").asInt()).isEqualTo(1);
        assertThat(other.json().path("version").asInt()).isEqualTo(2);
        assertThat(other.json().path("id")).isEqualTo(made.json().path("id"));
    }

    @Test
    void anUpdateNamesTheVersionItSaw() {
        String id = api.put("/api/jobs", "{\"name\":\"v\",\"group\":\"%s\",\"handler\":\"h\"}".formatted(group))
                .json()
                .path("id")
                .asString();
        String body = "{\"name\":\"v\",\"groupId\":\"%s\",\"handler\":\"i\"}".formatted(groupId);
        assertThat(api.get("/api/jobs/" + id).header("ETag")).isEqualTo("\"1\"");

        Answer updated = admin.api().header("If-Match", "\"1\"").put("/api/jobs/" + id, body);
        Answer late = admin.api().header("If-Match", "\"1\"").put("/api/jobs/" + id, body);
        Answer odd = admin.api().header("If-Match", "one").put("/api/jobs/" + id, body);

        assertThat(updated.status()).isEqualTo(200);
        assertThat(updated.header("ETag")).isEqualTo("\"2\"");
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.code()).isEqualTo("PRECONDITION_FAILED");
        assertThat(odd.code()).isEqualTo("INVALID_INPUT");
    }
}
