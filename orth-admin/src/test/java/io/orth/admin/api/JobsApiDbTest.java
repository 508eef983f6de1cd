package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JobsApiDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private static final AtomicInteger NAMES = new AtomicInteger();

    private SecuredClient api;
    private String group;

    @BeforeEach
    void setUp() {
        api = admin.api();
        group = api.post("/api/groups", "{\"name\":\"jobs-%d\"}".formatted(NAMES.incrementAndGet()))
                .json()
                .path("id")
                .asString();
    }

    @Test
    void createsShowsUpdatesAndDeletesJob() {
        Answer created = api.post("/api/jobs", """
                {"name":"report","groupId":"%s","handler":"h","param":"p","misfire":"FIRE_ALL",
                 "schedule":{"type":"CRON","cron":"0 0 3 * * ?","zone":"Europe/Berlin"}}
                """.formatted(group));
        assertThat(created.status()).isEqualTo(201);
        String path = created.header("Location");

        JsonNode job = api.get(path).json();
        assertThat(job.path("name").asString()).isEqualTo("report");
        assertThat(job.path("schedule").path("cron").asString()).isEqualTo("0 0 3 * * ?");
        assertThat(job.path("misfire").asString()).isEqualTo("FIRE_ALL");
        assertThat(job.path("enabled").asBoolean()).isTrue();
        assertThat(job.path("nextFireAt").isNull()).isFalse();
        assertThat(job.path("lastRun").isNull()).isTrue();
        assertThat(job.path("version").asInt()).isEqualTo(1);

        Answer changed = api.put(
                path, "{\"name\":\"renamed\",\"groupId\":\"%s\",\"handler\":\"h\",\"version\":1}".formatted(group));
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.json().path("schedule").path("type").asString()).isEqualTo("NONE");
        assertThat(changed.json().path("nextFireAt").isNull()).isTrue();

        assertThat(api.delete(path).status()).isEqualTo(204);
        assertThat(api.get(path).code()).isEqualTo("NOT_FOUND");
        assertThat(api.delete(path).code()).isEqualTo("NOT_FOUND");
    }

    @Test
    @Tag("must-kernel")
    void showsBlockScopeOfJobAndRuns() {
        String path = job("job");
        assertThat(api.get(path).json().path("blockScope").asString()).isEqualTo("EXECUTOR");
        String body = "{\"name\":\"job\",\"groupId\":\"%s\",\"handler\":\"h\",\"version\":1,\"blockScope\":\"%s\"}";

        assertThat(api.put(path, body.formatted(group, "WORLD")).body())
                .contains("blockScope")
                .contains("must be one of EXECUTOR, CLUSTER");
        Answer changed = api.put(path, body.formatted(group, "CLUSTER"));

        assertThat(changed.json().path("blockScope").asString()).isEqualTo("CLUSTER");
        String run = api.post(path + "/trigger", null).json().path("runId").asString();
        assertThat(api.get("/api/runs/" + run).json().path("blockScope").asString())
                .isEqualTo("CLUSTER");
        assertThat(api.get("/api/jobs/export?groupId=" + group).body()).contains("blockScope: CLUSTER");
    }

    @Test
    void aStaleOrMissingVersionChangesNothing() {
        String path = job("job");
        String body = "{\"name\":\"x\",\"groupId\":\"%s\",\"handler\":\"h\"%s}";

        assertThat(api.put(path, body.formatted(group, ",\"version\":7")).code())
                .isEqualTo("CONFLICT");
        assertInvalid(api.put(path, body.formatted(group, "")), "version");
        assertThat(api.get(path).json().path("name").asString()).isEqualTo("job");
    }

    @Test
    void aJobIsPausedAndResumed() {
        String path = job("job");

        assertThat(api.post(path + "/pause", null).json().path("enabled").asBoolean())
                .isFalse();
        assertThat(api.post(path + "/resume", null).json().path("enabled").asBoolean())
                .isTrue();
    }

    @Test
    void aJobIsRunByHandAndTheRunIsItsLast() {
        String path = job("job");

        Answer triggered = api.post(path + "/trigger", "{\"param\":\"special\"}");

        assertThat(triggered.status()).isEqualTo(202);
        String run = triggered.json().path("runId").asString();
        JsonNode shown = api.get("/api/runs/" + run).json();
        assertThat(shown.path("param").asString()).isEqualTo("special");
        assertThat(shown.path("triggerType").asString()).isEqualTo("API");
        assertThat(shown.path("traceId").asString()).isNotEmpty();
        assertThat(api.get(path).json().path("lastRun").path("id").asString()).isEqualTo(run);
        assertThat(api.post(path + "/trigger", null).status()).isEqualTo(202);
    }

    @Test
    void theListIsFilteredAndPaged() {
        job("first");
        job("second");

        String list = "/api/jobs?groupId=" + group;
        JsonNode page = api.get(list + "&limit=1").json();
        assertThat(page.path("items")).hasSize(1);
        JsonNode rest =
                api.get(list + "&limit=1&after=" + page.path("next").asString()).json();
        assertThat(rest.path("items").path(0).path("name").asString()).isEqualTo("second");
        assertThat(rest.path("next").isNull()).isTrue();
        assertThat(api.get(list + "&q=FIR").json().path("items")).hasSize(1);
        assertThat(api.get(list + "&enabled=false").json().path("items")).isEmpty();
    }

    @Test
    void aPreviewShowsTheNextTimesAndStoresNothing() {
        long before = admin.count("orth_job");

        Answer preview = api.post(
                "/api/schedules/preview",
                "{\"schedule\":{\"type\":\"CRON\",\"cron\":\"0 0 0 1 1 ? 2090-2092\",\"zone\":\"UTC\"},\"count\":5}");

        assertThat(preview.json().path("times").values().stream().map(JsonNode::asString))
                .containsExactly("2090-01-01T00:00:00Z", "2091-01-01T00:00:00Z", "2092-01-01T00:00:00Z");
        assertThat(admin.count("orth_job")).isEqualTo(before);
        assertInvalid(api.post("/api/schedules/preview", "{}"), "schedule");
        assertInvalid(api.post("/api/schedules/preview", "{\"schedule\":{\"type\":\"NONE\"},\"count\":101}"), "count");
        assertInvalid(api.post("/api/schedules/preview", "{\"schedule\":{\"type\":\"NONE\"},\"count\":0}"), "count");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"type":"FIXED_RATE","interval":"PT1H","start":"2090-01-01T00:00:00Z"} | 2090-01-01T00:00:00Z 2090-01-01T01:00:00Z | false
            {"type":"FIXED_DELAY","interval":"PT1H","start":"2090-01-01T00:00:00Z"} | 2090-01-01T00:00:00Z 2090-01-01T01:00:00Z | true
            {"type":"CRON","cron":"0 0 * * * ?","zone":"UTC","start":"2090-01-01T00:00:01Z","end":"2090-01-01T01:00:00Z"} | 2090-01-01T01:00:00Z | false
            {"type":"ONE_SHOT","at":"2090-01-01T00:00:00Z"} | 2090-01-01T00:00:00Z | false
            """)
    void everyKindOfScheduleHasAPreviewWithinItsWindow(String schedule, String times, boolean estimated) {
        JsonNode preview = api.post("/api/schedules/preview", "{\"schedule\":%s,\"count\":2}".formatted(schedule))
                .json();

        assertThat(preview.path("times").values().stream().map(JsonNode::asString))
                .containsExactly(times.split(" "));
        assertThat(preview.path("estimated").asBoolean()).isEqualTo(estimated);
    }

    @Tag("must-runs")
    @Test
    void keepsRouteStrategyAndDefaultsToRoundRobin() {
        JsonNode plain = api.get(job("plain")).json();
        assertThat(plain.path("routing").asString()).isEqualTo("ROUND");
        assertThat(plain.path("addresses").isEmpty()).isTrue();

        String path = api.post("/api/jobs", """
                {"name":"routed","groupId":"%s","handler":"h","routing":"SHARDING_BROADCAST",
                 "addresses":["http://10.0.0.2:9999/"," http://10.0.0.1:9999 "]}
                """.formatted(group)).header("Location");
        JsonNode routed = api.get(path).json();
        assertThat(routed.path("routing").asString()).isEqualTo("SHARDING_BROADCAST");
        assertThat(routed.path("addresses").values().stream().map(JsonNode::asString))
                .as("in one form, in the order given")
                .containsExactly("http://10.0.0.2:9999", "http://10.0.0.1:9999");

        Answer changed = api.put(path, """
                {"name":"routed","groupId":"%s","handler":"h","routing":"LRU","version":1}
                """.formatted(group));
        assertThat(changed.json().path("routing").asString()).isEqualTo("LRU");
        assertThat(changed.json().path("addresses").isEmpty()).isTrue();
    }

    @Test
    void theRunOfABroadcastShowsItsShard() {
        String path = api.post("/api/jobs", """
                {"name":"all","groupId":"%s","handler":"h","routing":"SHARDING_BROADCAST"}
                """.formatted(group)).header("Location");

        String run = api.post(path + "/trigger", "{}").json().path("runId").asString();

        JsonNode shown = api.get("/api/runs/" + run).json();
        assertThat(shown.path("routing").asString()).isEqualTo("SHARDING_BROADCAST");
        assertThat(shown.path("shardIndex").asInt()).isZero();
        assertThat(shown.path("shardTotal").asInt()).isEqualTo(1);
    }

    @Test
    void rejectsTooManyAddressesBeforeValidatingThem() {
        String body = "{\"name\":\"n\",\"groupId\":\"%s\",\"handler\":\"h\",\"addresses\":[%s]}";
        String hundred = IntStream.range(0, 100)
                .mapToObj(i -> "\"http://10.0.0.%d:9999\"".formatted(i))
                .collect(Collectors.joining(","));

        assertInvalid(api.post("/api/jobs", body.formatted(group, hundred + ",\"x\"")), "addresses");
        assertInvalid(api.post("/api/jobs", body.formatted(group, "\"x\",".repeat(100_000) + "\"x\"")), "addresses");
        assertInvalid(api.post("/api/jobs", body.formatted(group, "\"" + "1".repeat(65_536) + "\"")), "addresses[0]");
        assertThat(api.post("/api/jobs", body.formatted(group, hundred)).status())
                .isEqualTo(201);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            name             | "name":7
            name             | "name":null
            name             | "name":""
            name             | "name":"a\\u0000b"
            name             | "name":["x"]
            groupId          | "groupId":7
            groupId          | "groupId":"x"
            groupId          | "groupId":"-1"
            groupId          | "groupId":"2147483648"
            groupId          | "groupId":"999999"
            groupId          | "groupId":null
            handler          | "handler":{}
            handler          | "handler":" "
            param            | "param":"\\u0000"
            param            | "param":1
            misfire          | "misfire":"SOMETIMES"
            misfire          | "misfire":"fire_once"
            enabled          | "enabled":"yes"
            enabled          | "enabled":1
            version          | "version":"1"
            version          | "version":1.5
            schedule         | "schedule":"daily"
            schedule.type    | "schedule":{}
            schedule.type    | "schedule":{"type":"OFTEN"}
            schedule.cron    | "schedule":{"type":"CRON","zone":"UTC"}
            schedule.cron    | "schedule":{"type":"CRON","cron":"* * * * *","zone":"UTC"}
            schedule.zone    | "schedule":{"type":"CRON","cron":"* * * * * ?","zone":"Mars"}
            schedule.interval| "schedule":{"type":"FIXED_RATE"}
            schedule.interval| "schedule":{"type":"FIXED_RATE","interval":"30s"}
            schedule.interval| "schedule":{"type":"FIXED_RATE","interval":"PT0S"}
            schedule.interval| "schedule":{"type":"FIXED_RATE","interval":"PT99999999999999999999S"}
            schedule.interval| "schedule":{"type":"FIXED_DELAY"}
            schedule.interval| "schedule":{"type":"FIXED_DELAY","interval":"PT0.099S"}
            schedule.interval| "schedule":{"type":"FIXED_DELAY","interval":"P367D"}
            schedule.interval| "schedule":{"type":"CRON","cron":"* * * * * ?","zone":"UTC","interval":"PT1S"}
            schedule.at      | "schedule":{"type":"ONE_SHOT"}
            schedule.at      | "schedule":{"type":"ONE_SHOT","at":"tomorrow"}
            schedule.at      | "schedule":{"type":"ONE_SHOT","at":"2030-01-01T00:00:00"}
            schedule.at      | "schedule":{"type":"ONE_SHOT","at":"+1000000000-01-01T00:00:00Z"}
            schedule.at      | "schedule":{"type":"ONE_SHOT","at":1700000000}
            schedule.at      | "schedule":{"type":"NONE","at":"2090-01-01T00:00:00Z"}
            schedule         | "schedule":{"type":"ONE_SHOT","at":"2020-01-01T00:00:00Z"}
            schedule         | "schedule":{"type":"FIXED_RATE","interval":"PT1S","end":"2020-01-01T00:00:00Z"}
            schedule         | "schedule":{"type":"CRON","cron":"0 0 0 1 1 ? 2020","zone":"UTC"}
            schedule.start   | "schedule":{"type":"FIXED_RATE","interval":"PT1S","start":"soon"}
            schedule.start   | "schedule":{"type":"NONE","start":"2090-01-01T00:00:00Z"}
            schedule.start   | "schedule":{"type":"FIXED_RATE","interval":"PT1S","start":"1980-01-01T00:00:00Z"}
            schedule.end     | "schedule":{"type":"FIXED_RATE","interval":"PT1S","end":"never"}
            schedule.end     | "schedule":{"type":"FIXED_RATE","interval":"PT1S","start":"2090-01-02T00:00:00Z","end":"2090-01-01T00:00:00Z"}
            schedule.end     | "schedule":{"type":"ONE_SHOT","at":"2090-01-01T00:00:00Z","end":"2091-01-01T00:00:00Z"}
            schedule.x       | "schedule":{"type":"NONE","x":1}
            blockStrategy    | "blockStrategy":"PARALLEL"
            blockStrategy    | "blockStrategy":"serial"
            blockStrategy    | "blockStrategy":1
            blockScope       | "blockScope":"GROUP"
            blockScope       | "blockScope":"cluster"
            blockScope       | "blockScope":""
            blockScope       | "blockScope":1
            blockScope       | "blockScope":["CLUSTER"]
            concurrency      | "concurrency":2
            concurrency      | "blockStrategy":"DISCARD","concurrency":2
            concurrency      | "blockStrategy":"CONCURRENT","concurrency":0
            concurrency      | "blockStrategy":"CONCURRENT","concurrency":-1
            concurrency      | "blockStrategy":"CONCURRENT","concurrency":10001
            concurrency      | "blockStrategy":"CONCURRENT","concurrency":99999999999
            concurrency      | "blockStrategy":"CONCURRENT","concurrency":"4"
            timeoutSeconds   | "timeoutSeconds":-1
            timeoutSeconds   | "timeoutSeconds":2592001
            timeoutSeconds   | "timeoutSeconds":1.5
            timeoutSeconds   | "timeoutSeconds":"1m"
            handler          | "glue":{"type":"GLUE_SHELL","source":"true"}
            handler          | "handler":null
            glue             | "handler":null,"glue":"true"
            glue             | "handler":null,"glue":[]
            glue.type        | "handler":null,"glue":{"source":"true"}
            glue.type        | "handler":null,"glue":{"type":"BEAN","source":"true"}
            glue.type        | "handler":null,"glue":{"type":"GLUE_RUBY","source":"true"}
            glue.type        | "handler":null,"glue":{"type":7,"source":"true"}
            glue.source      | "handler":null,"glue":{"type":"GLUE_SHELL"}
            glue.source      | "handler":null,"glue":{"type":"GLUE_SHELL","source":" "}
            glue.source      | "handler":null,"glue":{"type":"GLUE_SHELL","source":7}
            glue.source      | "handler":null,"glue":{"type":"GLUE_SHELL","source":"a\\u0000b"}
            glue.source      | "handler":null,"glue":{"type":"GLUE_SHELL","source":"a\\ud800b"}
            glue.note        | "handler":null,"glue":{"type":"GLUE_SHELL","source":"true","note":"a\\nb"}
            glue.x           | "handler":null,"glue":{"type":"GLUE_SHELL","source":"true","x":1}
            routing          | "routing":"SOMEWHERE"
            routing          | "routing":"round"
            routing          | "routing":""
            routing          | "routing":7
            routing          | "routing":["ROUND"]
            addresses        | "addresses":"http://10.0.0.1:9999"
            addresses        | "addresses":{}
            addresses[0]     | "addresses":[7]
            addresses[0]     | "addresses":[null]
            addresses[0]     | "addresses":[""]
            addresses[0]     | "addresses":["10.0.0.1:9999"]
            addresses[0]     | "addresses":["http://169.254.169.254:80/"]
            addresses[0]     | "addresses":["http://[::ffff:127.0.0.1]:9999/"]
            addresses[0]     | "addresses":["http://[fe80::1]:9999/"]
            addresses[0]     | "addresses":["http://0.0.0.0:9999/"]
            addresses[0]     | "addresses":["http://0x7f000001:9999/"]
            addresses[0]     | "addresses":["http://127.1:9999/"]
            addresses[0]     | "addresses":["http://2130706433:9999/"]
            addresses[0]     | "addresses":["http://a@10.0.0.1:9999/"]
            addresses[0]     | "addresses":["http://executor.example:9999/"]
            addresses[0]     | "addresses":["http://10.0.0.1:9999/a/../b"]
            addresses[0]     | "addresses":["http://10.0.0.1:9999\\r\\nX: 1"]
            addresses[0]     | "addresses":["http://10.0.0.1:9999 http://10.0.0.2:9999"]
            addresses[0]     | "addresses":["file:///etc/passwd"]
            addresses[0]     | "addresses":["gopher://10.0.0.1:70/"]
            addresses[1]     | "addresses":["http://10.0.0.1:9999","http://10.0.0.1:0"]
            addresses[1]     | "addresses":["http://10.0.0.1:9999","http://10.0.0.1:9999/"]
            owner            | "owner":"me"
            """)
    void aBadFieldIsNamedAndNothingIsStored(String field, String member) {
        long before = admin.count("orth_job");
        String good = "\"name\":\"n\",\"groupId\":\"%s\",\"handler\":\"h\",".formatted(group);
        String key = member.substring(0, member.indexOf(':'));
        String body = "{" + good.replaceAll(key + ":\"[^\"]*\",", "") + member + "}";

        assertInvalid(api.post("/api/jobs", body), field);

        assertThat(admin.count("orth_job")).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "7",
                "\"x\"",
                "{} {}",
                "{'name':1}",
                "{\"name\":\"a\",\"name\":\"b\"}",
                "NaN",
                "{\"name\":1e999999}",
                "{\"version\":99999999999}",
                "\u0000"
            })
    void rejectsBodyThatIsNoJob(String body) {
        Answer answer = api.post("/api/jobs", body);

        assertThat(answer.code()).isEqualTo("INVALID_INPUT");
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    }

    @Test
    void rejectsDepthBombAndHugeBody() {
        assertThat(api.post("/api/jobs", "{\"schedule\":" + "[".repeat(100_000)).code())
                .isEqualTo("INVALID_INPUT");
        assertThat(api.post("/api/jobs", "{\"param\":\"" + "x".repeat(12_000_000) + "\"}")
                        .code())
                .isEqualTo("TOO_LARGE");
        assertInvalid(
                api.post(
                        "/api/jobs",
                        "{\"name\":\"n\",\"groupId\":\"%s\",\"handler\":\"h\",\"param\":\"%s\"}"
                                .formatted(group, "x".repeat(65_537))),
                "param");
    }

    @Test
    void rejectsForm() {
        Answer answer = admin.api()
                .header("Content-Type", "application/x-www-form-urlencoded")
                .post("/api/jobs", "name=x");

        assertThat(answer.code()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "id, /api/jobs/x",
        "id, /api/jobs/-1",
        "id, /api/jobs/2147483648",
        "id, /api/jobs/99999999999999999999",
        "id, /api/jobs/1e3",
        "groupId, /api/jobs?groupId=x",
        "enabled, /api/jobs?enabled=maybe",
        "limit, /api/jobs?limit=0",
        "limit, /api/jobs?limit=501",
        "limit, /api/jobs?limit=x",
        "after, /api/jobs?after=-1",
        "after, /api/jobs?after=x",
        "q, /api/jobs?q=%00"
    })
    void aBadPathOrParameterIsNamed(String field, String path) {
        assertInvalid(api.get(path), field);
    }

    @ParameterizedTest
    @CsvSource({"PATCH, /api/jobs/1", "DELETE, /api/jobs", "PUT, /api/jobs/1/trigger", "GET, /api/jobs/1/trigger"})
    void rejectsOtherMethods(String method, String path) {
        assertThat(api.call(method, path, null).code()).isEqualTo("METHOD_NOT_ALLOWED");
    }

    private String job(String name) {
        return api.post("/api/jobs", "{\"name\":\"%s\",\"groupId\":\"%s\",\"handler\":\"h\"}".formatted(name, group))
                .header("Location");
    }

    static void assertInvalid(Answer answer, String field) {
        assertThat(answer.body()).contains("\"INVALID_INPUT\"");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.json().path("errors").values().stream()
                        .map(error -> error.path("field").asString()))
                .contains(field);
    }
}
