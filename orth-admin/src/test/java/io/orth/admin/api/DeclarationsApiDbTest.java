package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.WireMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Declared jobs over the wire, with valid and hostile requests, and their presentation in the API. */
@Tag("must-runs")
class DeclarationsApiDbTest {

    private static final String PATH = "/api/orth/declarations";
    private static final String THREE = "0 0 3 * * ?";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String groupName = "d-" + UUID.randomUUID();
    private final String instance = UUID.randomUUID().toString();
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
        token = tokenOf(group);
    }

    @AfterEach
    void leave() {
        wire("/api/registryRemove", registration(null));
    }

    @Test
    void declaresShowsOverridesAndResetsJob() {
        declare(cron("report", THREE));
        JsonNode job = listed("report");
        assertThat(job.path("declaration").path("state").asString()).isEqualTo("FOLLOWED");
        String path = "/api/jobs/" + job.path("id").asString();
        assertThat(api.get(path).json().path("declaration").path("instanceId").asString())
                .isEqualTo(instance);

        Answer edited = api.put(path, """
                {"name":"report","groupId":"%s","handler":"h","version":1,
                 "schedule":{"type":"FIXED_RATE","interval":"PT30S"}}
                """.formatted(group));
        assertThat(edited.status()).isEqualTo(200);
        assertThat(listed("report").path("declaration").path("state").asString())
                .isEqualTo("DIFFERS");
        JsonNode differences = api.get(path).json().path("declaration").path("differences");
        assertThat(differences.findValuesAsString("field"))
                .containsExactly("schedule.type", "schedule.cron", "schedule.zone", "schedule.interval");
        assertThat(differences.get(1).path("declared").asString()).isEqualTo(THREE);
        assertThat(differences.get(1).path("actual").isNull()).isTrue();

        Answer taken = api.post(path + "/declaration/apply", null);
        assertThat(taken.status()).isEqualTo(200);
        assertThat(taken.json().path("schedule").path("cron").asString()).isEqualTo(THREE);
        assertThat(taken.json().path("declaration").path("state").asString()).isEqualTo("FOLLOWED");
    }

    @Test
    void auditsDeclarationsUnderTheExecutor() {
        declare(cron("report", THREE));

        JsonNode entry = api.get("/api/audit?user=%s/%s".formatted(groupName, instance))
                .json()
                .path("items")
                .get(0);

        assertThat(entry.path("action").asString()).isEqualTo("POST " + PATH);
        assertThat(entry.path("detail").asString()).isEqualTo("report created");
    }

    @Test
    void aJobThatNoCodeDeclaresHasNoDeclaration() {
        String path = api.post("/api/jobs", "{\"name\":\"mine\",\"groupId\":\"%s\",\"handler\":\"h\"}".formatted(group))
                .header("Location");

        assertThat(api.get(path).json().path("declaration").isNull()).isTrue();
        assertThat(listed("mine").path("declaration").isNull()).isTrue();
        assertThat(api.post(path + "/declaration/apply", null).status()).isEqualTo(404);
    }

    @Test
    void requestsUnknownDeclarationsExceptFromOldExecutors() {
        String hash = DeclaredJobs.hashOf(List.of(cron("report", THREE)));

        assertThat(wire("/api/registry", registration(null)).json().has("declare"))
                .isFalse();
        assertThat(wire("/api/registry", registration(hash))
                        .json()
                        .path("declare")
                        .asBoolean())
                .isTrue();
        wire(PATH, declared(cron("report", THREE)));
        assertThat(wire("/api/registry", registration(hash))
                        .json()
                        .path("declare")
                        .asBoolean(true))
                .isFalse();
    }

    @Test
    void reportsAndListsInvalidDeclaration() {
        Answer answer = declare(cron("bad", "0 0 99 * * ?"), cron("good", THREE));

        JsonNode refused = answer.json().path("content").path("refused");
        assertThat(refused.findValuesAsString("name")).containsExactly("bad");
        assertThat(listed("good").path("enabled").asBoolean()).isTrue();
        List<JsonNode> shown = api.get("/api/declarations")
                .json()
                .path("items")
                .valueStream()
                .filter(item -> item.path("groupName").asString().equals(groupName))
                .toList();
        assertThat(shown).hasSize(1);
        assertThat(shown.get(0).path("state").asString()).isEqualTo("REFUSED");
        assertThat(shown.get(0).path("problem").asString())
                .isEqualTo(refused.get(0).path("msg").asString());
    }

    @Test
    void rejectsWrongTokenBeforeReadingTheBody() {
        Answer answer = admin.executor("wrong").post(PATH, "{");

        assertThat(answer.json().path("msg").asString()).isEqualTo("The access token is wrong.");
    }

    @Test
    void rejectsDeclarationsForOtherGroupsAndInstances() {
        wire("/api/registry", registration(null));
        String foreign = api.post("/api/groups", "{\"name\":\"f-%s\"}".formatted(UUID.randomUUID()))
                .json()
                .path("id")
                .asString();
        String foreignName =
                api.get("/api/groups/" + foreign).json().path("name").asString();
        SecuredClient intruder = admin.executor(tokenOf(foreign));

        String asTheGroup = text(declared(cron("report", THREE)));
        String asTheInstance = text(new DeclaredJobs(foreignName, instance, List.of(cron("report", THREE))));
        String asNobody = text(new DeclaredJobs(foreignName, "nobody", List.of(cron("report", THREE))));

        assertThat(intruder.post(PATH, asTheGroup).json().path("msg").asString())
                .isEqualTo("the token is not that of group '%s'".formatted(groupName));
        assertThat(intruder.post(PATH, asTheInstance).json().path("msg").asString())
                .isEqualTo("instance %s belongs to another group".formatted(instance));
        assertThat(intruder.post(PATH, asNobody).json().path("code").asInt()).isEqualTo(500);
        assertThat(api.get("/api/jobs?groupId=" + group).json().path("items")).isEmpty();
        assertThat(api.get("/api/jobs?groupId=" + foreign).json().path("items")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{}",
                "{\"registryKey\":\"%g\",\"instanceId\":\"%i\"}",
                "{\"registryKey\":\"%g\",\"instanceId\":\"%i\",\"hash\":\"00\",\"jobs\":{}}",
                "{\"registryKey\":\"%g\",\"instanceId\":\"%i\",\"hash\":\"00\",\"jobs\":[1]}",
                "{\"registryKey\":\"%g\",\"instanceId\":[],\"hash\":\"00\",\"jobs\":[]}",
                "{\"registryKey\":\"%g\",\"instanceId\":\"a\\u0000b\",\"hash\":\"00\",\"jobs\":[]}"
            })
    void rejectsUnreadableDeclarations(String body) {
        wire("/api/registry", registration(null));

        Answer answer =
                admin.executor(token).post(PATH, body.replace("%g", groupName).replace("%i", instance));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("code").asInt()).isEqualTo(500);
        assertThat(answer.json().path("msg").asString()).isNotBlank();
    }

    @Test
    void rejectsTooManyDeclarationsButAcceptsHeartbeats() {
        wire("/api/registry", registration(null));
        String job = "{\"name\":\"%d\",\"handler\":\"h\"},";
        StringBuilder many = new StringBuilder();
        for (int i = 0; i <= DeclaredJobs.MOST; i++) {
            many.append(job.formatted(i));
        }
        String body = "{\"registryKey\":\"%s\",\"instanceId\":\"%s\",\"hash\":\"00\",\"jobs\":[%s]}";

        Answer tooMany = admin.executor(token)
                .post(PATH, body.formatted(groupName, instance, many.substring(0, many.length() - 1)));
        Answer tooLong = admin.executor(token).post(PATH, "x".repeat(17 * 1024 * 1024));

        assertThat(tooMany.json().path("msg").asString()).isEqualTo("'jobs' must be at most 1000");
        assertThat(tooLong.status()).isEqualTo(413);
        assertThat(api.get("/api/jobs?groupId=" + group).json().path("items")).isEmpty();
        assertThat(wire("/api/registry", registration(null)).json().path("code").asInt())
                .isEqualTo(200);
    }

    private Answer declare(DeclaredJob... jobs) {
        wire("/api/registry", registration(DeclaredJobs.hashOf(List.of(jobs))));
        Answer answer = wire(PATH, declared(jobs));
        assertThat(answer.json().path("code").asInt()).isEqualTo(200);
        return answer;
    }

    private DeclaredJobs declared(DeclaredJob... jobs) {
        return new DeclaredJobs(groupName, instance, List.of(jobs));
    }

    private static DeclaredJob cron(String name, String cron) {
        return new DeclaredJob(
                name, "h", "", new DeclaredJob.Schedule("CRON", cron, "UTC", null), DeclaredJob.Rules.DEFAULT);
    }

    private JsonNode listed(String name) {
        return api.get("/api/jobs?groupId=%s&q=%s".formatted(group, name))
                .json()
                .path("items")
                .get(0);
    }

    private Registration registration(String hash) {
        Registration.Instance speaker = new Registration.Instance(instance, "host", 1, "test", true).declaring(hash);
        return new Registration(groupName, "http://127.0.0.1:9/", speaker);
    }

    private Answer wire(String path, WireMessage message) {
        return admin.executor(token).post(path, text(message));
    }

    private static String text(WireMessage message) {
        return new String(Json.write(message), StandardCharsets.UTF_8);
    }

    private String tokenOf(String id) {
        return api.get("/api/groups/%s/token".formatted(id))
                .json()
                .path("token")
                .asString();
    }
}
