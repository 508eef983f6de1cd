package io.orth.admin.api;

import static io.orth.admin.api.SecuredServer.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.security.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

class UsersApiDbTest {

    @RegisterExtension
    static final SecuredServer.Shared shared = new SecuredServer.Shared();

    private SecuredServer admin;
    private SecuredClient console;

    @BeforeEach
    void setUp() {
        admin = shared.get();
        console = admin.as(Role.ADMIN);
    }

    @Test
    void createsUserThatCanLogIn() {
        Answer answer = console.post("/api/users", newUser("erin", "VIEWER"));

        assertThat(answer.status()).isEqualTo(201);
        JsonNode erin = answer.json();
        assertThat(erin.path("id").isString()).isTrue();
        assertThat(erin.propertyNames()).containsExactly("id", "name", "role", "enabled", "createdAt", "lastLoginAt");
        assertThat(erin.path("lastLoginAt").isNull()).isTrue();
        assertThat(erin.path("createdAt").asString())
                .isEqualTo(admin.clock.instant().toString());
        assertThat(admin.as("erin").get("/api/session").status()).isEqualTo(200);
        assertThat(console.post("/api/users", newUser("ERIN", "VIEWER")).status())
                .isEqualTo(409);
    }

    @Test
    void changesAUserAndEndsTheSessions() {
        String id = console.post("/api/users", newUser("frank", "VIEWER"))
                .json()
                .path("id")
                .asString();
        SecuredClient frank = admin.as("frank");

        Answer answer = console.put("/api/users/" + id, "{\"role\":\"OPERATOR\"}");

        assertThat(answer.json().path("role").asString()).isEqualTo("OPERATOR");
        assertThat(frank.get("/api/session").status()).isEqualTo(401);
        assertThat(admin.as("frank").get("/api/session").json().path("role").asString())
                .isEqualTo("OPERATOR");
        assertThat(console.put("/api/users/" + id, "{\"enabled\":false}")
                        .json()
                        .path("enabled")
                        .asBoolean())
                .isFalse();
        assertThat(admin.anonymous().login("frank", PASSWORD).status()).isEqualTo(401);
        assertThat(console.put("/api/users/" + id, "{}").status()).isEqualTo(400);
        assertThat(console.put("/api/users/999999", "{\"enabled\":false}").status())
                .isEqualTo(404);
        assertThat(console.put("/api/users/x", "{\"enabled\":false}")
                        .json()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("id");
    }

    @Test
    void listsUsersPageByPageWithoutAnySecret() {
        Answer first = console.get("/api/users?limit=2");
        Answer second = console.get(
                "/api/users?limit=500&after=" + first.json().path("next").asString());

        assertThat(first.json().path("items")).hasSize(2);
        assertThat(first.json().at("/items/0/name").asString()).isEqualTo("viewer");
        assertThat(second.json().at("/items/0/name").asString()).isEqualTo("admin");
        assertThat(second.json().path("next").isNull()).isTrue();
        assertThat(first.body() + second.body()).doesNotContain("hash", "$2");
    }

    @Test
    void rejectsHostileNamesAndUnknownFields() {
        assertField(console.post("/api/users", newUser("<script>alert(1)</script>", "VIEWER")), "name");
        assertField(console.post("/api/users", newUser("a\\r\\nb", "VIEWER")), "name");
        assertField(console.post("/api/users", newUser("grace", "ROOT")), "role");
        assertField(
                console.post(
                        "/api/users", "{\"name\":\"grace\",\"password\":\"x\",\"role\":\"VIEWER\",\"admin\":true}"),
                "admin");
        assertField(console.get("/api/users?limit=0"), "limit");
        assertField(console.get("/api/users?limit=501"), "limit");
        assertField(console.get("/api/users?after=-1"), "after");
    }

    private static String newUser(String name, String role) {
        return "{\"name\":\"%s\",\"password\":\"%s\",\"role\":\"%s\"}".formatted(name, PASSWORD, role);
    }

    private static void assertField(Answer answer, String field) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
    }
}
