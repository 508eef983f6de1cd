package io.orth.admin.api;

import static io.orth.admin.api.SecuredServer.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.security.Role;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class AuditApiDbTest {

    private static final String RUN = "/api/probe/jobs/7/run";

    @RegisterExtension
    static final SecuredServer.Shared shared = new SecuredServer.Shared();

    private SecuredServer admin;
    private SecuredClient reader;

    @BeforeEach
    void setUp() {
        admin = shared.get();
        reader = admin.program(Role.ADMIN);
    }

    @Test
    void recordsActorActionObjectAndOutcome() {
        admin.as(Role.OPERATOR).post(RUN, null);

        JsonNode entry = newest("/api/audit?user=operator");
        assertThat(entry.propertyNames())
                .containsExactly("id", "at", "actor", "action", "object", "outcome", "address", "detail");
        assertThat(entry.path("actor").asString()).isEqualTo("operator");
        assertThat(entry.path("action").asString()).isEqualTo("POST /api/probe/jobs/{id}/run");
        assertThat(entry.path("object").asString()).isEqualTo("job 7");
        assertThat(entry.path("outcome").asInt()).isEqualTo(200);
        assertThat(entry.path("address").asString()).isEqualTo("127.0.0.1");
        assertThat(entry.path("at").asString()).isEqualTo(admin.clock.instant().toString());
    }

    @Test
    void keepsDetailOfControllersOnOneLine() {
        admin.as(Role.OPERATOR).post(RUN, null);

        assertThat(newest("/api/audit?user=operator").path("detail").asString()).isEqualTo("by hand\\r\\nactor=nobody");
    }

    @Test
    void recordsRejectedRequestsWithReason() {
        admin.program(Role.VIEWER).post(RUN, null);
        assertThat(newest("/api/audit?user=viewer/test").path("outcome").asInt())
                .isEqualTo(403);

        admin.anonymous().delete("/api/tokens/7");
        JsonNode anonymous = newest("/api/audit?user=anonymous");
        assertThat(anonymous.path("outcome").asInt()).isEqualTo(401);
        assertThat(anonymous.path("object").asString()).isEqualTo("/api/tokens/7");

        admin.as(Role.OPERATOR).header("Origin", "https://evil.example").post(RUN, null);
        assertThat(newest("/api/audit?user=operator").path("outcome").asInt()).isEqualTo(403);

        reader.post("/api/probe/bug", null);
        assertThat(newest("/api/audit?q=probe/bug").path("outcome").asInt()).isEqualTo(500);
    }

    @Test
    void recordsLoginsUnderAttemptedName() {
        admin.anonymous().login("viewer", "wrong horse battery");
        JsonNode failed = newest("/api/audit?q=api/session");
        assertThat(failed.path("actor").asString()).isEqualTo("anonymous");
        assertThat(failed.path("object").asString()).isEqualTo("user viewer");
        assertThat(failed.path("outcome").asInt()).isEqualTo(401);

        admin.anonymous().login("viewer", PASSWORD);
        JsonNode succeeded = newest("/api/audit?q=api/session");
        assertThat(succeeded.path("actor").asString()).isEqualTo("viewer");
        assertThat(succeeded.path("outcome").asInt()).isEqualTo(200);

        admin.anonymous().login("eve\\r\\n<b>\\u0000", "wrong horse battery");
        JsonNode hostile = newest("/api/audit?q=api/session");
        assertThat(hostile.path("object").asString()).isEqualTo("user eve\\r\\n<b>\\u0000");
        assertThat(hostile.path("outcome").asInt()).isEqualTo(401);
    }

    @ParameterizedTest
    @Tag("must-first")
    @CsvSource({
        "/api/users, 201",
        "/a%70i/users, 201",
        "/%61%70%69/users, 201",
        "/api/us%65rs, 201",
        "/api/users/, 404",
        "/a%70i/users/, 404",
        "/a%70i/nothing, 404",
        "//api/users, 400",
        "/api//users, 400",
        "/api/users;x=1, 400",
        "/a%70i;x=1/users, 400",
        "/api%2fusers, 400",
        "/x/../api/users, 400"
    })
    void recordsChangeOnceForAnySpellingOfThePath(String path, int status) {
        String name = "spelt-" + UUID.randomUUID().toString().substring(0, 8);
        long before = rows();

        SecuredClient.Answer answer = reader.post(
                path, "{\"name\":\"%s\",\"password\":\"a password of its own\",\"role\":\"VIEWER\"}".formatted(name));

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(rows() - before).isEqualTo(status == 400 ? 0 : 1);
        if (status == 201) {
            JsonNode entry = newest("/api/audit?q=" + name);
            assertThat(entry.path("action").asString()).isEqualTo("POST /api/users");
            assertThat(entry.path("outcome").asInt()).isEqualTo(201);
        }
    }

    @ParameterizedTest
    @Tag("must-first")
    @ValueSource(strings = {"/api/probe/secret", "/%61pi/probe/secret", "/api/probe/s%65cret"})
    void recordsSecretReadForAnySpellingOfThePath(String path) {
        long before = rows();

        assertThat(reader.get(path).status()).isEqualTo(200);

        assertThat(rows() - before).isEqualTo(1);
        assertThat(newest("/api/audit").path("action").asString()).isEqualTo("GET /api/probe/secret");
    }

    @ParameterizedTest
    @Tag("must-first")
    @ValueSource(strings = {"/a%70i/session", "/api/s%65ssion", "/%61%70%69/%73ession"})
    void recordsFailedLoginForAnySpellingOfThePath(String path) {
        long before = rows();

        admin.anonymous().post(path, "{\"user\":\"viewer\",\"password\":\"wrong horse battery\"}");

        assertThat(rows() - before).isEqualTo(1);
        JsonNode failed = newest("/api/audit?q=api/session");
        assertThat(failed.path("object").asString()).isEqualTo("user viewer");
        assertThat(failed.path("outcome").asInt()).isEqualTo(401);
    }

    private long rows() {
        return admin.jdbc()
                .sql("select count(*) from orth_audit")
                .query(Long.class)
                .single();
    }

    @Test
    void neverHoldsASecret() {
        SecuredClient console = admin.as(Role.ADMIN);
        String token = console.post("/api/tokens", "{\"name\":\"s\",\"role\":\"VIEWER\"}")
                .json()
                .path("token")
                .asString();
        console.post("/api/users", "{\"name\":\"heidi\",\"password\":\"heidi has a password\",\"role\":\"VIEWER\"}");

        String rows = admin.jdbc()
                .sql("select string_agg(orth_audit::text, '') from orth_audit")
                .query(String.class)
                .single();

        assertThat(rows)
                .contains("heidi")
                .doesNotContain(token, "heidi has", PASSWORD, console.session().orElseThrow());
    }

    @Test
    void readsNewestFirstPageByPage() {
        for (int i = 0; i < 3; i++) {
            admin.anonymous().post("/api/paging-" + i, "{}");
        }

        JsonNode first = reader.get("/api/audit?q=api/paging-&limit=2").json();
        JsonNode second = reader.get("/api/audit?q=api/paging-&limit=2&after="
                        + first.path("next").asString())
                .json();

        assertThat(first.path("items")
                        .valueStream()
                        .map(entry -> entry.path("action").asString()))
                .containsExactly("POST /api/paging-2", "POST /api/paging-1");
        assertThat(second.path("items")
                        .valueStream()
                        .map(entry -> entry.path("action").asString()))
                .containsExactly("POST /api/paging-0");
        assertThat(second.path("next").isNull()).isTrue();
    }

    @Test
    void treatsWildcardsInSearchLiterally() {
        admin.anonymous().post("/api/wild", "{}");

        for (String q : new String[] {"w%25ld", "w_ld", "%5Cwild", "wild'%20or%20''='"}) {
            assertThat(reader.get("/api/audit?q=" + q).json().path("items"))
                    .as(q)
                    .isEmpty();
        }
        assertThat(reader.get("/api/audit?q=WILD").json().path("items")).hasSize(1);
        assertThat(reader.get("/api/audit?q=" + "%25".repeat(201)).status()).isEqualTo(400);
        assertThat(reader.get("/api/audit?q=%00").status()).isEqualTo(400);
    }

    @Test
    void rejectsCallsThatCannotBeAudited() {
        SecuredClient client = admin.program(Role.OPERATOR);
        client.get("/api/session");
        admin.jdbc().sql("alter table orth_audit rename to orth_audit_away").update();
        try {
            SecuredClient.Answer answer = client.post(RUN, null);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("UNAVAILABLE");
            assertThat(answer.header("Retry-After")).isNotEmpty();
            assertThat(client.get("/api/session").status()).isEqualTo(200);
        } finally {
            admin.jdbc().sql("alter table orth_audit_away rename to orth_audit").update();
        }
    }

    /** The outcome is written after the answer is on its way, so wait for it. */
    private JsonNode newest(String query) {
        return await().atMost(Duration.ofSeconds(10))
                .until(
                        () -> reader.get(query).json().at("/items/0"),
                        entry -> !entry.path("outcome").isNull() && !entry.isMissingNode());
    }
}
