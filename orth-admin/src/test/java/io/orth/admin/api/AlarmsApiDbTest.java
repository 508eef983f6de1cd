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

class AlarmsApiDbTest {

    private static final String PATH = "/api/alarms/channels";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private SecuredClient api;
    private String name;

    @BeforeEach
    void setUp() {
        api = admin.api();
        name = "c-" + UUID.randomUUID();
    }

    @Test
    void managesChannelWithoutExposingSecrets() {
        Answer made = api.post(PATH, """
                {"name":"%s","kind":"WEBHOOK","target":"https://example.org/s3cret?key=s3cret","secret":"s3cret"}
                """.formatted(name));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        String path = made.header("Location");
        JsonNode shown = api.get(path).json();
        assertThat(shown.path("target").asString()).isEqualTo("https://example.org/…");
        assertThat(shown.path("secret").asBoolean()).isTrue();
        assertThat(shown.path("windowSeconds").asInt()).isEqualTo(300);
        assertThat(shown.path("watch").path("everything").asBoolean()).isTrue();

        Answer changed = api.put(
                path, "{\"name\":\"%s\",\"kind\":\"WEBHOOK\",\"template\":\"{{job}}\",\"version\":1}".formatted(name));
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        assertThat(changed.json().path("secret").asBoolean()).isTrue();
        assertThat(admin.jdbc()
                        .sql("select target || secret from orth_alarm_channel where name = :name")
                        .param("name", name)
                        .query(String.class)
                        .single())
                .isEqualTo("https://example.org/s3cret?key=s3crets3cret");
        assertThat(api.put(path, "{\"name\":\"x\",\"kind\":\"WEBHOOK\",\"version\":1}")
                        .code())
                .isEqualTo("CONFLICT");
        assertThat(made.body()
                        + changed.body()
                        + api.get(PATH).body()
                        + api.get("/api/audit").body())
                .doesNotContain("s3cret");

        assertThat(api.delete(path).status()).isEqualTo(204);
        assertThat(api.get(path).code()).isEqualTo("NOT_FOUND");
    }

    @Test
    void aNameIsTakenOnceAndATestSaysWhyItFailed() {
        String body = "{\"name\":\"%s\",\"kind\":\"SLACK\",\"target\":\"http://127.0.0.1:9/x\"}".formatted(name);
        String path = api.post(PATH, body).header("Location");

        assertThat(api.post(PATH, body).code()).isEqualTo("CONFLICT");
        Answer test = api.post(path + "/test", null);
        assertThat(test.json().path("sent").asBoolean()).isFalse();
        assertThat(test.json().path("problem").asString()).contains("orth.alarm.allowed-networks");
        assertThat(api.delete(path).status()).isEqualTo(204);
    }

    @Test
    void anotherKindNeedsItsOwnTarget() {
        String path = api.post(
                        PATH,
                        "{\"name\":\"%s\",\"kind\":\"SLACK\",\"target\":\"https://example.org/x\"}".formatted(name))
                .header("Location");

        Answer changed = api.put(path, "{\"name\":\"%s\",\"kind\":\"MAIL\",\"version\":1}".formatted(name));

        JobsApiDbTest.assertInvalid(changed, "target");
        api.delete(path);
    }

    @Test
    void theListOfAlarmsIsPaged() {
        assertThat(api.get("/api/alarms?limit=1").status()).isEqualTo(200);
        JobsApiDbTest.assertInvalid(api.get("/api/alarms?limit=0"), "limit");
        JobsApiDbTest.assertInvalid(api.get("/api/alarms?after=x"), "after");
    }

    @Tag("must-runs")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            name           | "name":null
            name           | "name":"a\\u0007"
            name           | "name":["x"]
            kind           | "kind":null
            kind           | "kind":"SMS"
            target         | "target":null
            target         | "target":"file:///etc/passwd"
            target         | "target":"http://2130706433/"
            target         | "target":"http://a@b/"
            target         | "target":"http://x\\r\\nHost: y/"
            target         | "kind":"MAIL","target":"nobody"
            target         | "kind":"MAIL","target":"a@b.org\\r\\nBcc: c@d.org"
            secret         | "kind":"SLACK","secret":"x"
            secret         | "secret":"a\\nb"
            template       | "template":"{{password}}"
            template       | "template":"a\\u0000"
            windowSeconds  | "windowSeconds":-1
            windowSeconds  | "windowSeconds":86401
            windowSeconds  | "windowSeconds":"5m"
            watch          | "watch":"all"
            watch          | "watch":{"everything":false}
            watch          | "watch":{"everything":true,"groupIds":["1"]}
            watch          | "watch":{"groupIds":["999999"]}
            watch          | "watch":{"jobIds":["999999"]}
            watch.groupIds | "watch":{"groupIds":["x"]}
            watch.jobIds   | "watch":{"jobIds":[null]}
            enabled        | "enabled":"yes"
            everyFailure   | "everyFailure":1
            x              | "x":1
            """)
    void aBadFieldIsNamedAndNothingIsStored(String field, String member) {
        long before = admin.count("orth_alarm_channel");
        String good = "\"name\":\"n\",\"kind\":\"WEBHOOK\",\"target\":\"https://example.org/x\",";
        for (String key : new String[] {"name", "kind", "target"}) {
            if (member.contains("\"" + key + "\":")) {
                good = good.replaceAll("\"" + key + "\":\"[^\"]*\",", "");
            }
        }

        JobsApiDbTest.assertInvalid(api.post(PATH, "{" + good + member + "}"), field);

        assertThat(admin.count("orth_alarm_channel")).isEqualTo(before);
    }
}
