package io.orth.admin.api;

import static io.orth.admin.api.SecuredServer.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.security.Role;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SessionApiDbTest {

    private static final String NEXT = "another good password";

    @RegisterExtension
    static final SecuredServer.Shared shared = new SecuredServer.Shared();

    private SecuredServer admin;

    @BeforeEach
    void setUp() {
        admin = shared.get();
    }

    @Test
    void returnsCurrentUser() {
        Answer answer = admin.as(Role.OPERATOR).get("/api/session");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"user\":\"operator\",\"role\":\"OPERATOR\"}");
        assertThat(admin.anonymous().get("/api/session").status()).isEqualTo(401);
    }

    @Test
    void storesSessionInHttpOnlySameSiteCookie() {
        Answer answer = admin.anonymous().login("viewer", PASSWORD);

        assertThat(answer.headers().allValues("Set-Cookie"))
                .filteredOn(cookie -> cookie.startsWith("orth-session="))
                .singleElement()
                .asString()
                .matches(
                        "orth-session=[A-Za-z0-9_-]{43}; Path=/; Max-Age=43200; Expires=[^;]+; HttpOnly; SameSite=Strict");
        assertThat(answer.body()).doesNotContain("token");
    }

    @Test
    void ignoresSessionIdSuppliedByBrowser() {
        SecuredClient victim = admin.anonymous();
        String planted = "A".repeat(43);
        victim.cookies().put(SecuredClient.SESSION, planted);

        victim.login("viewer", PASSWORD);

        assertThat(victim.session()).isPresent().get().isNotEqualTo(planted);
        assertThat(statusWith(planted)).isEqualTo(401);
    }

    @Test
    void replacesAnOlderSessionAtLogin() {
        SecuredClient client = admin.as(Role.VIEWER);
        String older = client.session().orElseThrow();

        client.login("viewer", PASSWORD);

        assertThat(statusWith(older)).isEqualTo(401);
        assertThat(client.get("/api/session").status()).isEqualTo(200);
    }

    @Test
    void endsTheSessionAtLogout() {
        SecuredClient client = admin.as(Role.VIEWER);
        String token = client.session().orElseThrow();

        assertThat(client.delete("/api/session").status()).isEqualTo(204);

        assertThat(client.session()).isEmpty();
        assertThat(statusWith(token)).isEqualTo(401);
        assertThat(client.delete("/api/session").status()).isEqualTo(204);
    }

    @Test
    void changesOnesOwnPasswordAndEndsEveryOlderSession() {
        admin.user("dave", Role.VIEWER);
        SecuredClient here = admin.as("dave");
        String older = here.session().orElseThrow();
        String elsewhere = admin.as("dave").session().orElseThrow();

        Answer answer = here.put("/api/session/password", passwords(PASSWORD, NEXT));

        assertThat(answer.status()).isEqualTo(204);
        assertThat(statusWith(older)).isEqualTo(401);
        assertThat(statusWith(elsewhere)).isEqualTo(401);
        assertThat(here.get("/api/session").status()).isEqualTo(200);
        assertThat(admin.anonymous().login("dave", PASSWORD).status()).isEqualTo(401);
        assertThat(admin.anonymous().login("dave", NEXT).status()).isEqualTo(200);
    }

    @Test
    void rejectsPasswordChangeWithoutCurrentOrToBadPassword() {
        SecuredClient client = admin.as(Role.VIEWER);

        assertField(client.put("/api/session/password", passwords("wrong horse battery", NEXT)), "current");
        assertField(client.put("/api/session/password", passwords(PASSWORD, "short")), "next");
        assertField(client.put("/api/session/password", passwords(PASSWORD, PASSWORD)), "next");
        assertField(client.put("/api/session/password", "{\"next\":\"" + NEXT + "\"}"), "current");
        assertThat(admin.program(Role.VIEWER)
                        .put("/api/session/password", passwords(PASSWORD, NEXT))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void throttlesThousandLoginAttemptsWithRetryAfter() {
        int[] statuses = IntStream.range(0, 1_000)
                .map(i -> admin.anonymous()
                        .login("operator", "wrong horse battery")
                        .status())
                .toArray();

        assertThat(IntStream.of(statuses).filter(status -> status == 401).count())
                .isEqualTo(5);
        assertThat(IntStream.of(statuses).filter(status -> status == 429).count())
                .isEqualTo(995);
        Answer refused = admin.anonymous().login("operator", PASSWORD);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("TOO_MANY_REQUESTS");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 300);
        admin.clock.advance(Duration.ofMinutes(6));
        assertThat(admin.anonymous().login("operator", PASSWORD).status()).isEqualTo(200);
    }

    @Test
    void ignoresForwardedAddressHeaders() {
        for (int i = 0; i < 30; i++) {
            admin.anonymous()
                    .header("X-Forwarded-For", "203.0.113." + i)
                    .header("Forwarded", "for=203.0.113." + i)
                    .login("name" + i, "wrong horse battery");
        }

        assertThat(admin.anonymous()
                        .header("X-Forwarded-For", "198.51.100.1")
                        .login("viewer", PASSWORD)
                        .status())
                .isEqualTo(429);
    }

    @Test
    void takesEqualTimeForUnknownNames() {
        // The shortest of each, taken in turn: whatever else the machine does takes time from both.
        long known = Long.MAX_VALUE;
        long unknown = Long.MAX_VALUE;
        for (int i = 0; i < 6; i++) {
            known = Math.min(known, nanosOf("viewer"));
            unknown = Math.min(unknown, nanosOf("nobody"));
            admin.quiet();
        }

        assertThat(unknown).isGreaterThan(known / 3);
        assertThat(known).isGreaterThan(unknown / 3);
    }

    @Test
    void rejectsIncompleteLogins() {
        assertField(admin.anonymous().post("/api/session", "{}"), "user");
        assertField(admin.anonymous().post("/api/session", "{\"user\":\"viewer\"}"), "password");
        assertField(admin.anonymous().post("/api/session", "{\"user\":7,\"password\":\"x\"}"), "user");
        assertThat(admin.anonymous().post("/api/session", null).status()).isEqualTo(400);
    }

    private long nanosOf(String name) {
        long start = System.nanoTime();
        assertThat(admin.anonymous().login(name, "wrong horse battery").status())
                .isEqualTo(401);
        return System.nanoTime() - start;
    }

    private int statusWith(String session) {
        SecuredClient client = admin.anonymous();
        client.cookies().put(SecuredClient.SESSION, session);
        return client.get("/api/session").status();
    }

    private static String passwords(String current, String next) {
        return "{\"current\":\"%s\",\"next\":\"%s\"}".formatted(current, next);
    }

    private static void assertField(Answer answer, String field) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
        assertThat(answer.body()).doesNotContain("horse");
    }
}
