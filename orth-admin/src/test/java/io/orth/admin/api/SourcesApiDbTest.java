package io.orth.admin.api;

import static io.orth.admin.api.JobsApiDbTest.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Jobs that run source text: who may write it, and which versions are kept. */
class SourcesApiDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private SecuredClient api;
    private SecuredClient operator;
    private String group;

    @BeforeEach
    void setUp() {
        api = admin.api();
        String secret = api.post(
                        "/api/tokens", "{\"name\":\"t-%s\",\"role\":\"OPERATOR\"}".formatted(UUID.randomUUID()))
                .json()
                .path("token")
                .asString();
        operator = admin.anonymous().bearer(secret);
        group = group();
    }

    @Test
    void aJobRunsSourceInsteadOfAHandler() {
        Answer created = api.post("/api/jobs", body("""
                "glue":{"type":"GLUE_SHELL","source":"echo one\\r\\necho two\\r\\n","note":"first"},
                "blockStrategy":"CONCURRENT","concurrency":4,"timeoutSeconds":90
                """));
        assertThat(created.status()).isEqualTo(201);

        JsonNode job = api.get(created.header("Location")).json();
        assertThat(job.path("handler").isNull()).isTrue();
        assertThat(job.path("glue").path("type").asString()).isEqualTo("GLUE_SHELL");
        assertThat(job.path("glue").path("version").asInt()).isEqualTo(1);
        assertThat(job.path("glue").path("source").asString()).isEqualTo("echo one\necho two\n");
        assertThat(job.path("blockStrategy").asString()).isEqualTo("CONCURRENT");
        assertThat(job.path("concurrency").asInt()).isEqualTo(4);
        assertThat(job.path("timeoutSeconds").asInt()).isEqualTo(90);
        JsonNode listed = api.get("/api/jobs?groupId=" + group)
                .json()
                .path("items")
                .path(0)
                .path("glue");
        assertThat(listed.path("version").asInt()).isEqualTo(1);
        assertThat(listed.path("source").isNull()).as("lists carry no texts").isTrue();
    }

    @Test
    void storesVersionOnlyIfSourceChanged() {
        String job = shellJob("echo 1");

        assertThat(change(api, job, "echo 2").status()).isEqualTo(200);
        assertThat(change(api, job, "echo 2").status()).isEqualTo(200);
        Answer kept = api.put(job, body("\"glue\":{\"type\":\"GLUE_SHELL\"},\"version\":" + versionOf(job)));

        assertThat(kept.json().path("glue").path("source").asString()).isEqualTo("echo 2");
        JsonNode versions = api.get(job + "/sources").json().path("items");
        assertThat(versions.values().stream().map(each -> each.path("version").asInt()))
                .containsExactly(2, 1);
        assertThat(versions.path(0).path("author").asString()).isNotEmpty();
        assertThat(versions.path(0).path("bytes").asInt()).isEqualTo(6);
        assertThat(versions.path(0).path("source").isNull()).isTrue();
        assertThat(api.get(job + "/sources/1").json().path("source").asString()).isEqualTo("echo 1");
        assertThat(versions.path(0).path("createdAt").asString())
                .isGreaterThan(versions.path(1).path("createdAt").asString());
    }

    @Test
    void restoresEarlierVersionAsNewest() {
        String job = shellJob("echo 1");
        change(api, job, "echo 2");

        Answer restored = api.post(job + "/sources/1/restore", null);

        assertThat(restored.json().path("sourceVersion").asInt()).isEqualTo(3);
        assertThat(api.get(job).json().path("glue").path("source").asString()).isEqualTo("echo 1");
        assertThat(api.get(job + "/sources/3").json().path("note").asString()).isEqualTo("version 1 again");
        assertThat(api.post(job + "/sources/99/restore", null).code()).isEqualTo("NOT_FOUND");
        assertThat(operator.post(job + "/sources/1/restore", null).code()).isEqualTo("NOT_ALLOWED");
    }

    @Test
    void theLastThirtyVersionsAreKept() {
        String job = shellJob("echo 0");
        for (int i = 1; i <= 32; i++) {
            change(api, job, "echo " + i);
        }

        assertThat(api.get(job + "/sources").json().path("items")).hasSize(30);
        assertThat(api.get(job + "/sources/3").code()).isEqualTo("NOT_FOUND");
        assertThat(api.get(job + "/sources/33").json().path("source").asString())
                .isEqualTo("echo 32");
    }

    @Test
    void operatorChangesAllButSourceAndTargets() {
        String job = shellJob("echo 1");

        assertThat(operator.put(
                                job,
                                body(
                                        "\"glue\":{\"type\":\"GLUE_SHELL\",\"source\":\"echo 1\"},\"timeoutSeconds\":5,\"version\":1"))
                        .status())
                .isEqualTo(200);
        assertThat(change(operator, job, "rm -rf /").code()).isEqualTo("NOT_ALLOWED");
        assertThat(operator.put(job, body("\"glue\":{\"type\":\"GLUE_PYTHON\",\"source\":\"echo 1\"},\"version\":2"))
                        .code())
                .isEqualTo("NOT_ALLOWED");
        assertThat(operator.put(job, bodyIn(group(), "\"glue\":{\"type\":\"GLUE_SHELL\"},\"version\":2"))
                        .code())
                .isEqualTo("NOT_ALLOWED");
        assertThat(operator.post("/api/jobs", body("\"glue\":{\"type\":\"GLUE_SHELL\",\"source\":\"echo\"}"))
                        .code())
                .isEqualTo("NOT_ALLOWED");

        assertThat(api.get(job).json().path("glue").path("source").asString()).isEqualTo("echo 1");
        assertThat(api.get(job + "/sources").json().path("items")).hasSize(1);
    }

    @Test
    void acceptsOneMegabyteSourceAndRejectsLonger() {
        assertThat(shellJob("x".repeat(1024 * 1024))).isNotNull();
        long before = admin.count("orth_job");
        for (String source : List.of("x".repeat(1024 * 1024 + 1), "é".repeat(524_289))) {
            assertInvalid(
                    api.post(
                            "/api/jobs",
                            body("\"glue\":{\"type\":\"GLUE_SHELL\",\"source\":\"%s\"}".formatted(source))),
                    "glue.source");
        }
        assertThat(admin.count("orth_job")).isEqualTo(before);
    }

    @Test
    void switchesBackToHandlerAndKeepsVersions() {
        String job = shellJob("echo 1");

        Answer changed = operator.put(
                job, "{\"name\":\"n\",\"groupId\":\"%s\",\"handler\":\"h\",\"version\":1}".formatted(group));

        assertThat(changed.json().path("glue").isNull()).isTrue();
        assertThat(changed.json().path("handler").asString()).isEqualTo("h");
        assertThat(api.get(job + "/sources").json().path("items")).hasSize(1);
        assertThat(api.post(job + "/sources/1/restore", null).code()).isEqualTo("CONFLICT");
        assertInvalid(api.put(job, body("\"glue\":{\"type\":\"GLUE_SHELL\"},\"version\":2")), "glue.source");
        assertThat(api.delete(job).status()).isEqualTo(204);
        assertThat(api.get(job + "/sources").code()).isEqualTo("NOT_FOUND");
    }

    private String shellJob(String source) {
        return api.post("/api/jobs", body("\"glue\":{\"type\":\"GLUE_SHELL\",\"source\":\"%s\"}".formatted(source)))
                .header("Location");
    }

    private Answer change(SecuredClient client, String job, String source) {
        return client.put(
                job,
                body("\"glue\":{\"type\":\"GLUE_SHELL\",\"source\":\"%s\"},\"version\":%d"
                        .formatted(source, versionOf(job))));
    }

    private int versionOf(String job) {
        return api.get(job).json().path("version").asInt();
    }

    private String body(String more) {
        return bodyIn(group, more);
    }

    private static String bodyIn(String group, String more) {
        return "{\"name\":\"n\",\"groupId\":\"%s\",%s}".formatted(group, more);
    }

    private String group() {
        return api.post("/api/groups", "{\"name\":\"s-%s\"}".formatted(UUID.randomUUID()))
                .json()
                .path("id")
                .asString();
    }
}
