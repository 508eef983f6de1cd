package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.triggering.FakeXxlExecutor;
import io.orth.admin.triggering.FakeXxlExecutor.Generation;
import io.orth.protocol.Headers;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Messages of executors of all XXL-JOB generations, word for word, and hostile ones. */
@Tag("must-runs")
class XxlJobWireDbTest {

    private static final String DONE = "{\"code\":200,\"content\":\"\",\"data\":\"\"}";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final FakeXxlExecutor executor = new FakeXxlExecutor(Generation.W2);
    private final String groupName = "x-" + UUID.randomUUID();
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
        xxl().post("/api/registryRemove", registration());
        executor.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/api,               XXL-JOB-ACCESS-TOKEN",
        "/api,               ORTH-ACCESS-TOKEN",
        "/xxl-job-admin/api, XXL-JOB-ACCESS-TOKEN",
        "/xxl-job-admin/api, xxl-job-access-token"
    })
    void registersAndDeregisters(String base, String header) {
        SecuredClient client = admin.anonymous().header(header, token);

        assertThat(client.post(base + "/registry", registration()).body()).isEqualTo(DONE);
        assertThat(shown().path("status").asString()).isEqualTo("ONLINE");
        assertThat(client.post(base + "/registryRemove", registration()).body()).isEqualTo(DONE);
        assertThat(shown().path("status").asString()).isEqualTo("OFFLINE");
    }

    @Test
    void showsExecutorAsXxlJob() {
        xxl().post("/api/registry", registration());

        JsonNode shown = shown();

        assertThat(shown.path("kind").asString()).isEqualTo("XXL_JOB");
        assertThat(shown.path("address").asString()).isEqualTo(executor.address());
        assertThat(shown.path("pid").isNull()).isTrue();
        assertThat(shown.path("version").isNull()).isTrue();
        assertThat(shown.path("metrics").isNull()).isTrue();
        String drain =
                "/api/executors/%s/drain".formatted(shown.path("instanceId").asString());
        assertThat(api.post(drain, "").status()).isEqualTo(409);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // 2.3 to 3.4
                "[{\"logId\":%d,\"logDateTim\":1,\"handleCode\":200,\"handleMsg\":\"done\"}]",
                // 2.3 to 3.1: Gson escapes, and a null message is left out
                "[{\"logId\":%d,\"logDateTim\":1,\"handleCode\":200,\"handleMsg\":\"do\\u006ee\"}]",
                // 2.2
                "[{\"logId\":%d,\"logDateTim\":1,\"executeResult\":{\"code\":200,\"msg\":\"done\"}}]",
                // third parties: both, digits as text, fields of their own
                "[{\"logId\":\"%d\",\"handleCode\":\"200\",\"handleMsg\":\"done\",\"executeResult\":{\"code\":500},\"x\":1}]",
                // 3.5
                "{\"callbackList\":[{\"logId\":%d,\"logDateTime\":1,\"handleCode\":200,\"handleMsg\":\"done\"}]}",
                "\n {\"callbackList\":[{\"logId\":%d,\"handleCode\":200,\"handleMsg\":\"done\"}]}"
            })
    void acceptsResultsOfAllGenerations(String body) {
        long run = sentRun();

        Answer answer = xxl().post("/xxl-job-admin/api/callback", body.formatted(run));

        assertThat(answer.body()).isEqualTo(DONE);
        assertThat(run(run).path("status").asString()).isEqualTo("SUCCESS");
        assertThat(run(run).path("handleMsg").asString()).isEqualTo("done");
    }

    @ParameterizedTest
    @CsvSource({"500, FAILED", "502, TIMEOUT", "201, FAILED", "999, FAILED"})
    void everyCodeHasItsStatus(int code, String status) {
        long run = sentRun();

        xxl().post("/api/callback", "[{\"logId\":%d,\"logDateTim\":1,\"handleCode\":%d}]".formatted(run, code));

        assertThat(run(run).path("status").asString()).isEqualTo(status);
        assertThat(run(run).path("handleCode").asInt()).isEqualTo(code);
    }

    @Test
    void acceptsBatchInAnyOrderAndIgnoresRepetition() {
        long first = sentRun();
        long second = sentRun();
        String batch = "[{\"logId\":%d,\"handleCode\":500,\"handleMsg\":\"b\"},{\"logId\":%d,\"handleCode\":200}]"
                .formatted(second, first);

        xxl().post("/api/callback", batch);
        Answer again = xxl().post("/api/callback", "[{\"logId\":%d,\"handleCode\":200}]".formatted(second));

        assertThat(again.body()).isEqualTo(DONE);
        assertThat(run(first).path("status").asString()).isEqualTo("SUCCESS");
        assertThat(run(second).path("status").asString()).isEqualTo("FAILED");
    }

    /** Such an executor would send the same batch for ever. */
    @Test
    void badResultDoesNotBlockItsBatch() {
        long run = sentRun();

        Answer answer = xxl().post(
                        "/api/callback",
                        "[{\"logId\":\"x\"},{\"logId\":4711,\"handleCode\":200},{\"handleCode\":1},{\"logId\":%d,\"handleCode\":200}]"
                                .formatted(run));

        assertThat(answer.body()).isEqualTo(DONE);
        assertThat(run(run).path("status").asString()).isEqualTo("SUCCESS");
    }

    @Test
    void ignoresResultForRunOfAnotherGroup() {
        long run = sentRun();
        String otherGroup = api.post("/api/groups", "{\"name\":\"y-%s\"}".formatted(UUID.randomUUID()))
                .json()
                .path("id")
                .asString();
        String otherToken = api.get("/api/groups/%s/token".formatted(otherGroup))
                .json()
                .path("token")
                .asString();

        admin.anonymous()
                .header(Headers.XXL_ACCESS_TOKEN, otherToken)
                .post("/api/callback", "[{\"logId\":%d,\"handleCode\":200}]".formatted(run));

        assertThat(run(run).path("status").asString()).isEqualTo("PENDING");
    }

    @Test
    void ignoresResultWithoutInstanceForRunOfOrthExecutor() {
        long run = sentRun();
        admin.jdbc()
                .sql("update orth_executor set kind = 'ORTH' where address = :address")
                .param("address", executor.address())
                .update();

        xxl().post("/api/callback", "[{\"logId\":%d,\"handleCode\":200}]".formatted(run));

        assertThat(run(run).path("status").asString()).isEqualTo("PENDING");
        admin.jdbc()
                .sql("update orth_executor set kind = 'XXL_JOB' where address = :address")
                .param("address", executor.address())
                .update();
    }

    @Test
    void ignoresResultWithInstanceForXxlJobRun() {
        long run = sentRun();

        xxl().post("/api/callback", "[{\"logId\":%d,\"handleCode\":200,\"instanceId\":\"ours\"}]".formatted(run));

        assertThat(run(run).path("status").asString()).isEqualTo("PENDING");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/registry", "/xxl-job-admin/api/registry", "/xxl-job-admin/api/callback"})
    void reportsWrongToken(String path) {
        for (String wrong : new String[] {"", "default_token", token + "x", token.substring(1)}) {
            Answer answer =
                    admin.anonymous().header(Headers.XXL_ACCESS_TOKEN, wrong).post(path, registration());

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().path("code").asInt()).isEqualTo(500);
            assertThat(answer.json().path("msg").asString()).isEqualTo("The access token is wrong.");
        }
        assertThat(executorsShown()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "[]",
                "{}",
                "null",
                "{\"registryGroup\":\"ADMIN\",\"registryKey\":\"%1$s\",\"registryValue\":\"http://127.0.0.1:9/\"}",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"\",\"registryValue\":\"http://127.0.0.1:9/\"}",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"another\",\"registryValue\":\"http://127.0.0.1:9/\"}",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%1$s\"}",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%1$s\",\"registryValue\":[]}",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%1$s\",\"registryValue\":\"http://169.254.169.254:80/\"}",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%1$s\",\"registryValue\":\"http://evil.example:80/\"}",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%1$s\",\"registryValue\":\"http://127.0.0.1:9/\",\"instance\":7}"
            })
    void rejectsInvalidRegistrationInTheEnvelope(String body) {
        for (String path : new String[] {"/api/registry", "/xxl-job-admin/api/registryRemove"}) {
            Answer answer = xxl().post(path, body.formatted(groupName));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().path("code").asInt()).isEqualTo(500);
            assertThat(answer.json().path("msg").asString()).isNotBlank().doesNotContain(token);
        }
        assertThat(executorsShown()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "7",
                "[7]",
                "[null]",
                "[{}]",
                "{}",
                "{\"callbackList\":7}",
                "{\"callbackList\":null}",
                "[{\"logId\":1e999,\"handleCode\":200}]",
                "[{\"logId\":1,\"handleCode\":99999999999}]",
                "[{\"logId\":1,\"logId\":2,\"handleCode\":200}]",
                "[{\"@class\":\"java.net.URL\",\"logId\":[]}]"
            })
    void rejectsInvalidResultsInTheEnvelope(String body) {
        Answer answer = xxl().post("/api/callback", body);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("code").asInt()).isEqualTo(500);
    }

    @Test
    void keepsAnyMessageAsText() {
        long run = sentRun();

        xxl().post(
                        "/api/callback",
                        "[{\"logId\":%d,\"handleCode\":500,\"handleMsg\":\"a\\u0000<script>\\ud800 %s\"}]"
                                .formatted(run, "x".repeat(60_000)));

        assertThat(run(run).path("status").asString()).isEqualTo("FAILED");
        assertThat(run(run).path("handleMsg").asString())
                .startsWith("a\uFFFD<script>")
                .hasSizeLessThan(15_100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/xxl-job-admin", "/xxl-job-admin/api/other", "/xxl-job-admin/jobinfo", "/xxl-job-admin/toLogin"
            })
    void exposesNoOtherPaths(String path) {
        assertThat(xxl().post(path, "{}").status()).isIn(401, 403, 404);
        assertThat(admin.anonymous().get(path).status()).isIn(401, 403, 404);
    }

    @Test
    void aRunIsWatchedAsAnyOther() {
        long run = sentRun();
        xxl().post("/api/callback", "[{\"logId\":%d,\"handleCode\":200}]".formatted(run));
        executor.print("one", "two");

        JsonNode log = api.get("/api/runs/%d/log".formatted(run)).json();
        String stream = api.get("/api/runs/%d/log/stream".formatted(run)).body();

        assertThat(log.path("text").asString()).isEqualTo("one\ntwo\n");
        assertThat(log.path("end").asBoolean(false)).isTrue();
        assertThat(stream).contains("event:log", "id:2", "one\\ntwo\\n", "event:end");
    }

    private SecuredClient xxl() {
        return admin.anonymous().header(Headers.XXL_ACCESS_TOKEN, token);
    }

    private String registration() {
        return "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%s\",\"registryValue\":\"%s/\"}"
                .formatted(groupName, executor.address());
    }

    /** A run that the executor has accepted. */
    private long sentRun() {
        xxl().post("/api/registry", registration());
        String job = api.post(
                        "/api/jobs",
                        "{\"name\":\"j-%s\",\"groupId\":\"%s\",\"handler\":\"h\",\"schedule\":{\"type\":\"NONE\"}}"
                                .formatted(UUID.randomUUID(), group))
                .json()
                .path("id")
                .asString();
        long run = api.post("/api/jobs/%s/trigger".formatted(job), "{}")
                .json()
                .path("runId")
                .asLong();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> run(run).path("status").asString().equals("PENDING"));
        return run;
    }

    private JsonNode run(long id) {
        return api.get("/api/runs/" + id).json();
    }

    private JsonNode shown() {
        return executorsShown().path(0);
    }

    private JsonNode executorsShown() {
        return api.get("/api/executors?groupId=" + group).json().path("items");
    }
}
