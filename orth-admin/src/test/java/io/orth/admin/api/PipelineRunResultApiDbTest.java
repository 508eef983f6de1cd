package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The result and the links of a pipeline run as a whole. */
@Tag("must-kernel")
class PipelineRunResultApiDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String name = "p-" + UUID.randomUUID();
    private SecuredClient api;
    private String run;
    private String path;

    @BeforeEach
    void setUp() {
        api = admin.api();
        api.put("/api/pipelines/" + name, "{\"stages\":[{\"name\":\"courses\",\"handler\":\"courses\"}]}");
        run = api.post("/api/pipelines/%s/runs".formatted(name), "{}")
                .json()
                .path("rootJobId")
                .asString();
        path = "/api/pipeline-runs/%s/result".formatted(run);
    }

    private JsonNode stored() {
        return api.get("/api/pipeline-runs/" + run).json();
    }

    @Test
    void storesResultAndLinks() {
        Answer put = api.put(path, """
                {"result":{"courses":12,"note":"größer"},"links":[{"name":"Catalogue","url":"https://shop.example/c?a=1"}]}
                """);

        assertThat(put.status()).as(put.body()).isEqualTo(200);
        assertThat(put.json().path("result")).isEqualTo(stored().path("result"));
        assertThat(stored().path("result").path("courses").asInt()).isEqualTo(12);
        assertThat(stored().path("result").path("note").asString()).isEqualTo("größer");
        assertThat(stored().path("links").get(0).path("name").asString()).isEqualTo("Catalogue");
        assertThat(stored().path("links").get(0).path("url").asString()).isEqualTo("https://shop.example/c?a=1");
    }

    @Test
    void replacesBothWhateverTheStatus() {
        api.put(path, "{\"result\":1,\"links\":[{\"name\":\"a\",\"url\":\"http://a.example\"}]}");
        api.post("/api/pipeline-runs/%s/cancel".formatted(run), "{}");

        assertThat(api.put(path, "{\"result\":[2]}").status()).isEqualTo(200);

        assertThat(stored().path("status").asString()).isEqualTo("CANCELLED");
        assertThat(stored().path("result").get(0).asInt()).isEqualTo(2);
        assertThat(stored().path("links")).isEmpty();
    }

    @Test
    void takesResultOfExactlyEightKilobytes() {
        String longest = "\"" + "x".repeat(8_190) + "\"";
        assertThat(api.put(path, "{\"result\":%s}".formatted(longest)).status()).isEqualTo(200);

        Answer rejected = api.put(path, "{\"result\":\"%s\"}".formatted("x".repeat(8_191)));

        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.body()).contains("must be JSON of at most 8192 bytes, got 8193");
        assertThat(stored().path("result").asString()).hasSize(8_190);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'name':'','url':'http://a.example'}|links[0].name|must have 1 to 100 characters",
                "{'url':'http://a.example'}|links[0].name|must have 1 to 100 characters",
                "{'name':'a'}|links[0].url|must be an http or https URL",
                "{'name':'a','url':'javascript:alert(1)'}|links[0].url|got 'javascript:alert(1)'",
                "{'name':'a','url':'/relative'}|links[0].url|got '/relative'",
                "{'name':'a','url':'http:// a'}|links[0].url|must be an http or https URL",
                "null|links[0].name|must have 1 to 100 characters"
            })
    void rejectsInvalidLink(String link, String field, String message) {
        Answer rejected = api.put(path, "{\"links\":[%s]}".formatted(link.replace('\'', '"')));

        assertThat(rejected.status()).as(rejected.body()).isEqualTo(400);
        assertThat(rejected.body()).contains('"' + field + '"', message);
    }

    @Test
    void rejectsMoreThanTwentyLinks() {
        String link = "{\"name\":\"a\",\"url\":\"http://a.example\"},";

        Answer rejected =
                api.put(path, "{\"links\":[%s]}".formatted(link.repeat(21).replaceFirst(",$", "")));

        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.body()).contains("must be at most 20, got 21");
    }

    @Test
    void requiresOperatorAndExistingRun() {
        String token = api.post("/api/tokens", "{\"name\":\"%s\",\"role\":\"VIEWER\"}".formatted(UUID.randomUUID()))
                .json()
                .path("token")
                .asString();

        assertThat(admin.anonymous().bearer(token).put(path, "{}").status()).isEqualTo(403);
        assertThat(api.put("/api/pipeline-runs/1/result", "{}").status()).isEqualTo(404);
    }
}
