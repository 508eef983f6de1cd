package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipeline runs and their tasks, filtered by any key of their meta. */
@Tag("must-kernel")
class PipelineMetaFilterApiDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String name = "p-" + UUID.randomUUID();
    /** A value of this test's own. */
    private final String tenant = UUID.randomUUID().toString();

    private SecuredClient api;

    @BeforeEach
    void setUp() {
        api = admin.api();
        api.put("/api/pipelines/" + name, "{\"stages\":[{\"name\":\"courses\",\"handler\":\"courses\"}]}");
    }

    private String submit(String meta, String targets) {
        Answer submitted = api.post(
                "/api/pipelines/%s/runs".formatted(name),
                "{\"meta\":%s,\"scope\":{\"targets\":%s}}".formatted(meta, targets));
        assertThat(submitted.status()).as(submitted.body()).isEqualTo(202);
        return submitted.json().path("rootJobId").asString();
    }

    private String submit(String meta) {
        return submit(meta, "[{\"targetType\":\"course\",\"targetId\":\"a\"}]");
    }

    private List<String> ids(String address) {
        Answer found = api.get(address);
        assertThat(found.status()).as(found.body()).isEqualTo(200);
        return found.json()
                .path("items")
                .valueStream()
                .map(each -> each.path("id").asString())
                .toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void listsRunsThatHaveAllPairs() {
        String first = submit("{\"tenant\":\"%s\",\"env\":\"prod\"}".formatted(tenant));
        String second = submit("{\"tenant\":\"%s\",\"env\":\"test\"}".formatted(tenant));
        submit("{\"tenant\":\"another\",\"env\":\"prod\"}");

        assertThat(ids("/api/pipeline-runs?meta.tenant=" + tenant)).containsExactly(second, first);
        assertThat(ids("/api/pipeline-runs?meta.tenant=%s&meta.env=prod".formatted(tenant)))
                .containsExactly(first);
        assertThat(ids("/api/pipeline-runs?meta.tenant=%s&pipeline=other".formatted(tenant)))
                .isEmpty();
        assertThat(ids("/api/pipeline-runs?meta.tenant=%s&limit=1&after=%s".formatted(tenant, second)))
                .containsExactly(first);
    }

    @Test
    void keysAndValuesMayHaveAnyCharacters() {
        String key = "a.b c&ü=\"'%";
        String run = submit("{\"%s\":\"%s & ü=1\"}".formatted(key.replace("\"", "\\\""), tenant));

        assertThat(ids("/api/pipeline-runs?meta.%s=%s".formatted(encoded(key), encoded(tenant + " & ü=1"))))
                .containsExactly(run);
    }

    @Test
    void listsTasksOfARunThatHaveAllPairs() {
        String run = submit("{}", """
                [{"targetType":"course","targetId":"a","meta":{"language":"en","level":"1"}},
                 {"targetType":"course","targetId":"b","meta":{"language":"en","level":"2"}},
                 {"targetType":"course","targetId":"c"}]""");
        String tasks = "/api/pipeline-runs/%s/tasks?".formatted(run);

        assertThat(ids(tasks + "meta.language=en")).hasSize(2).isEqualTo(ids(tasks + "language=en"));
        assertThat(ids(tasks + "meta.level=2&language=en")).hasSize(1);
        assertThat(ids(tasks + "meta.level=3")).isEmpty();
        assertThat(ids(tasks + "meta.language=en&targetId=b")).hasSize(1);
        assertThat(api.get(tasks + "meta.language=en&language=de").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"meta.=x", "meta=x", "metatenant=x", "Meta.tenant=x", "meta.a=1&meta.a=2", "meta.a=%00"})
    void rejectsInvalidFilter(String query) {
        assertThat(api.get("/api/pipeline-runs?" + query).status()).isEqualTo(400);
    }

    @Test
    void namesMetaAmongTheParametersOfTheCall() {
        assertThat(api.get("/api/pipeline-runs?metatenant=x").body()).contains("meta.<key>");
        assertThat(api.get("/api/runs?meta.tenant=x").status()).isEqualTo(400);
    }

    @Test
    void deletedRunsLeaveNoMeta() {
        String run = submit("{\"tenant\":\"%s\"}".formatted(tenant), """
                [{"targetType":"course","targetId":"a","meta":{"language":"en"}}]""");

        for (String table :
                List.of("orth_outbox", "orth_pipeline_progress", "orth_execution_log", "orth_pipeline_task")) {
            admin.jdbc()
                    .sql("delete from %s where root_id = :run".formatted(table))
                    .param("run", Long.parseLong(run))
                    .update();
        }
        admin.jdbc()
                .sql("delete from orth_pipeline_run where id = :run")
                .param("run", Long.parseLong(run))
                .update();

        assertThat(count("orth_pipeline_run_meta where value = '%s'".formatted(tenant)))
                .isZero();
        assertThat(count("orth_pipeline_task_meta where root_id = " + run)).isZero();
    }

    private int count(String rows) {
        return admin.jdbc()
                .sql("select count(*) from " + rows)
                .query(Integer.class)
                .single();
    }
}
