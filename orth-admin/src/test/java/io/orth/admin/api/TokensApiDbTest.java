package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.security.Role;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TokensApiDbTest {

    @RegisterExtension
    static final SecuredServer.Shared shared = new SecuredServer.Shared();

    private SecuredServer admin;
    private SecuredClient console;

    @BeforeEach
    void setUp() {
        admin = shared.get();
        console = admin.as(Role.OPERATOR);
    }

    @Test
    void showsATokenOnce() {
        Answer made = console.post("/api/tokens", "{\"name\":\"nightly\",\"role\":\"VIEWER\"}");
        Answer list = console.get("/api/tokens?limit=500");

        assertThat(made.status()).isEqualTo(201);
        String token = made.json().path("token").asString();
        assertThat(token).startsWith("orth_");
        assertThat(list.body()).contains("\"nightly\"").doesNotContain(token, token.substring(5));
        assertThat(list.json().at("/items/0").propertyNames())
                .containsExactly("id", "name", "role", "createdBy", "createdAt", "expiresAt", "lastUsedAt");
        assertThat(admin.anonymous().bearer(token).get("/api/session").body())
                .isEqualTo("{\"user\":\"operator/nightly\",\"role\":\"VIEWER\"}");
    }

    @Test
    void endsATokenAtItsExpiryAndWhenRevoked() {
        String soon = admin.clock.instant().plus(Duration.ofMinutes(5)).toString();
        String expiring = make("{\"name\":\"a\",\"role\":\"VIEWER\",\"expiresAt\":\"%s\"}".formatted(soon));
        Answer other = console.post("/api/tokens", "{\"name\":\"b\",\"role\":\"VIEWER\"}");
        String revoked = other.json().path("token").asString();

        assertThat(admin.anonymous().bearer(expiring).get("/api/session").status())
                .isEqualTo(200);
        assertThat(console.delete("/api/tokens/" + other.json().path("id").asString())
                        .status())
                .isEqualTo(204);
        admin.clock.advance(Duration.ofMinutes(5));

        assertThat(admin.anonymous().bearer(expiring).get("/api/session").status())
                .isEqualTo(401);
        assertThat(admin.anonymous().bearer(revoked).get("/api/session").status())
                .isEqualTo(401);
    }

    @Test
    void rejectsRightsAboveTheCreatorsAndForeignTokens() {
        Answer foreign = admin.as(Role.ADMIN).post("/api/tokens", "{\"name\":\"c\",\"role\":\"ADMIN\"}");

        assertThat(console.post("/api/tokens", "{\"name\":\"d\",\"role\":\"ADMIN\"}")
                        .status())
                .isEqualTo(403);
        assertThat(console.delete("/api/tokens/" + foreign.json().path("id").asString())
                        .status())
                .isEqualTo(404);
        assertThat(console.get("/api/tokens?limit=500").body()).doesNotContain("\"createdBy\":\"admin\"");
    }

    @Test
    void namesTheFieldThatIsWrong() {
        assertField("{\"role\":\"VIEWER\"}", "name");
        assertField("{\"name\":\"e\"}", "role");
        assertField("{\"name\":\"e\",\"role\":\"VIEWER\",\"expiresAt\":\"tomorrow\"}", "expiresAt");
        assertField("{\"name\":\"e\",\"role\":\"VIEWER\",\"expiresAt\":\"2020-01-01T00:00:00Z\"}", "expiresAt");
    }

    private String make(String body) {
        return console.post("/api/tokens", body).json().path("token").asString();
    }

    private void assertField(String body, String field) {
        Answer answer = console.post("/api/tokens", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
    }
}
