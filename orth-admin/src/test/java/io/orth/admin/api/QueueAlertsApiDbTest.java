package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Tag("must-queues")
class QueueAlertsApiDbTest {

    private static final String RULES = "/api/queue-alerts/rules";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private SecuredClient api;
    private String name;
    private String queue;

    @BeforeEach
    void setUp() {
        api = admin.api();
        name = "r-" + UUID.randomUUID();
        queue = "q-" + UUID.randomUUID();
    }

    @AfterEach
    void tearDown() {
        admin.jdbc()
                .sql("delete from orth_queue_alert_rule where name = :name")
                .param("name", name)
                .update();
    }

    @Test
    void newInstallationHasDefaultRules() {
        JsonNode rules = api.get(RULES).json().path("items");

        assertThat(rules.path(0).toString())
                .contains("\"name\":\"Backlog\",\"kind\":\"BACKLOG\",\"queue\":null,\"waiting\":1000,")
                .contains("\"coolDownSeconds\":3600,\"enabled\":true,\"version\":1");
        assertThat(rules.path(1).toString())
                .contains(
                        "\"ratio\":0.5,\"minEnded\":50,\"overSeconds\":300,\"forSeconds\":0,\"coolDownSeconds\":1800");
        assertThat(rules.path(2).toString())
                .contains("\"kind\":\"NO_WORKERS\"")
                .contains("\"forSeconds\":60,\"coolDownSeconds\":900");
    }

    @Test
    void createsUpdatesByVersionAndDeletesRule() {
        Answer made = api.post(RULES, "{\"name\":\"%s\",\"kind\":\"FAILURE_RATIO\"}".formatted(name));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        String path = made.header("Location");
        assertThat(api.get(path).body())
                .contains(
                        "\"ratio\":0.5,\"minEnded\":50,\"overSeconds\":300,\"forSeconds\":0,\"coolDownSeconds\":1800");

        String change = "{\"name\":\"%s\",\"kind\":\"BACKLOG\",\"oldestSeconds\":9,\"enabled\":false,\"version\":1}"
                .formatted(name);
        Answer changed = api.put(path, change);
        assertThat(changed.body())
                .contains("\"kind\":\"BACKLOG\"")
                .contains("\"waiting\":null,\"oldestSeconds\":9,\"ratio\":null")
                .contains("\"enabled\":false,\"version\":2");
        assertThat(api.put(path, change).code()).isEqualTo("PRECONDITION_FAILED");
        JobsApiDbTest.assertInvalid(api.put(path, change.replace(",\"version\":1", "")), "version");
        assertThat(api.post(RULES, change.replace(",\"version\":1", "")).code()).isEqualTo("CONFLICT");

        assertThat(api.delete(path).status()).isEqualTo(204);
        assertThat(api.delete(path).code()).isEqualTo("NOT_FOUND");
        assertThat(api.get(path).code()).isEqualTo("NOT_FOUND");
        assertThat(api.put(path, change).code()).isEqualTo("NOT_FOUND");
        assertThat(admin.jdbc()
                        .sql("select count(*) from orth_audit where object = :object")
                        .param("object", "alert rule " + path.replaceAll(".*/", ""))
                        .query(Long.class)
                        .single())
                .as("all but what was only read")
                .isGreaterThanOrEqualTo(5);
    }

    @Test
    void alertFiresIsListedAndResolves() {
        api.post(
                "/api/queues/%s/messages/bulk".formatted(queue),
                "{\"messages\":[{\"payload\":\"a\"},{\"payload\":\"b\"}]}");
        api.post(RULES, "{\"name\":\"%s\",\"kind\":\"BACKLOG\",\"waiting\":2,\"queue\":\"%s\"}".formatted(name, queue));
        String firing = "/api/queue-alerts?firing=true&queue=" + queue;

        await().atMost(Duration.ofSeconds(60))
                .until(() -> api.get(firing).json().path("items").size() == 1);
        JsonNode alert = api.get(firing).json().path("items").path(0);
        assertThat(alert.path("text").asString()).startsWith("2 messages wait, the oldest due for ");
        assertThat(alert.path("ruleName").asString()).isEqualTo(name);
        assertThat(alert.path("endedAt").isNull()).isTrue();
        for (JsonNode message :
                api.get("/api/queues/%s/messages".formatted(queue)).json().path("items")) {
            api.post(
                    "/api/queues/%s/messages/%s/discard"
                            .formatted(queue, message.path("id").asString()),
                    "");
        }

        await().atMost(Duration.ofSeconds(60))
                .until(() -> api.get("/api/queue-alerts?firing=false&queue=" + queue)
                                .json()
                                .path("items")
                                .size()
                        == 1);
        assertThat(api.get("/api/queue-alerts?queue=" + queue).body()).contains("\"endedBy\":\"RECOVERED\"");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            name            | "name":null
            name            | "name":"  "
            name            | "name":"a\\u0000"
            name            | "name":["x"]
            kind            | "kind":null
            kind            | "kind":"backlog"
            kind            | "kind":7
            queue           | "queue":"no-such-queue"
            queue           | "queue":"'; drop table orth_queue; --"
            waiting         | "waiting":null
            waiting         | "waiting":0
            waiting         | "waiting":-5
            waiting         | "waiting":1000000001
            waiting         | "waiting":99999999999999999999
            waiting         | "waiting":"many"
            oldestSeconds   | "oldestSeconds":0
            oldestSeconds   | "oldestSeconds":9223372036854775807
            ratio           | "ratio":0.5
            minEnded        | "minEnded":1
            overSeconds     | "overSeconds":60
            ratio           | "kind":"FAILURE_RATIO","waiting":null,"ratio":0
            ratio           | "kind":"FAILURE_RATIO","waiting":null,"ratio":1.01
            ratio           | "kind":"FAILURE_RATIO","waiting":null,"ratio":"NaN"
            minEnded        | "kind":"FAILURE_RATIO","waiting":null,"minEnded":0
            overSeconds     | "kind":"FAILURE_RATIO","waiting":null,"overSeconds":59
            overSeconds     | "kind":"FAILURE_RATIO","waiting":null,"overSeconds":86401
            waiting         | "kind":"NO_WORKERS"
            forSeconds      | "forSeconds":-1
            forSeconds      | "forSeconds":86401
            coolDownSeconds | "coolDownSeconds":59
            coolDownSeconds | "coolDownSeconds":604801
            coolDownSeconds | "coolDownSeconds":"PT1H"
            enabled         | "enabled":"yes"
            x               | "x":1
            """)
    void aBadFieldIsNamedAndNothingIsStored(String field, String member) {
        long before = admin.count("orth_queue_alert_rule");
        String good = "\"name\":\"%s\",\"kind\":\"BACKLOG\",\"waiting\":5,".formatted(name);
        for (String key : new String[] {"name", "kind", "waiting"}) {
            if (member.contains("\"" + key + "\":")) {
                good = good.replaceAll("\"" + key + "\":(\"[^\"]*\"|5),", "");
            }
        }

        JobsApiDbTest.assertInvalid(api.post(RULES, "{" + good + member + "}"), field);

        assertThat(admin.count("orth_queue_alert_rule")).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"firing=yes", "firing=", "limit=0", "limit=501", "after=x", "after=-1"})
    void aBadFilterIsNamed(String filter) {
        JobsApiDbTest.assertInvalid(api.get("/api/queue-alerts?" + filter), filter.replaceAll("=.*", ""));
    }

    @Test
    void rejectsLongQueueNameAndListsNothingForUnknown() {
        JobsApiDbTest.assertInvalid(api.get("/api/queue-alerts?queue=" + "q".repeat(201)), "queue");
        assertThat(api.get("/api/queue-alerts?queue=none").json().path("items").size())
                .isZero();
        JobsApiDbTest.assertInvalid(api.get(RULES + "/x"), "id");
    }
}
