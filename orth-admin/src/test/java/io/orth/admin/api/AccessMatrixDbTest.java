package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.security.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;

/** Every route of this feature against every kind of caller. A route that is missing here fails the test. */
class AccessMatrixDbTest {

    private enum Needs {
        ANYONE,
        VIEWER,
        /** As VIEWER, but not with an API token. */
        VIEWER_IN_PERSON,
        ADMIN;

        /** {@code role} null for callers with no valid credentials. */
        boolean allows(Role role, boolean token) {
            return switch (this) {
                case ANYONE -> true;
                case VIEWER -> role != null;
                case VIEWER_IN_PERSON -> role != null && !token;
                case ADMIN -> role == Role.ADMIN;
            };
        }
    }

    private record Caller(String name, Role role, boolean token, SecuredClient client) {}

    private static final Map<String, Needs> ROUTES = Map.ofEntries(
            Map.entry("GET /api/session", Needs.VIEWER),
            Map.entry("POST /api/session", Needs.ANYONE),
            Map.entry("PUT /api/session/password", Needs.VIEWER_IN_PERSON),
            Map.entry("GET /api/setup", Needs.ANYONE),
            Map.entry("POST /api/setup", Needs.ANYONE),
            Map.entry("GET /api/users", Needs.ADMIN),
            Map.entry("POST /api/users", Needs.ADMIN),
            Map.entry("PUT /api/users/{id}", Needs.ADMIN),
            Map.entry("GET /api/tokens", Needs.VIEWER),
            Map.entry("POST /api/tokens", Needs.VIEWER),
            Map.entry("DELETE /api/tokens/{id}", Needs.VIEWER),
            Map.entry("GET /api/audit", Needs.ADMIN),
            Map.entry("DELETE /api/session", Needs.ANYONE));

    /** An API token below ADMIN is authorized to create a token and then rejected for what it is. */
    private static final String MAKES_TOKENS = "POST /api/tokens";

    @RegisterExtension
    static final SecuredServer.Shared shared = new SecuredServer.Shared();

    private SecuredServer admin;

    @BeforeEach
    void setUp() {
        admin = shared.get();
    }

    @Test
    void namesEveryRoute() {
        Set<String> routes = new TreeSet<>();
        admin.controllers().getHandlerMethods().forEach((mapping, handler) -> {
            Class<?> type = handler.getBeanType();
            if (type.getName().startsWith("io.orth.") && type != ProbeApi.class && type != ProblemPage.class) {
                routes.addAll(routesOf(mapping));
            }
        });

        assertThat(routes).containsExactlyInAnyOrderElementsOf(ROUTES.keySet());
    }

    @Test
    void enforcesRolesAndAuditsEveryAttempt() {
        List<String> wrong = new ArrayList<>();
        List<Caller> callers = callers();
        int cells = 0;
        for (String route : inOrder()) {
            for (Caller caller : callers) {
                cells++;
                long rowsBefore = auditRows();
                int status = call(caller.client(), route);
                long rows = auditRows() - rowsBefore;
                if (status != expected(route, caller, status) || rows != (route.startsWith("GET") ? 0 : 1)) {
                    wrong.add("%s by %s: %d, %d audit rows".formatted(route, caller.name(), status, rows));
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(cells).isEqualTo(ROUTES.size() * 11);
    }

    /** Logging out comes last: the others need the sessions. */
    private static List<String> inOrder() {
        return ROUTES.keySet().stream()
                .sorted(Comparator.comparing("DELETE /api/session"::equals))
                .toList();
    }

    /** The expected rejection, or {@code status} itself where any response of the controller is accepted. */
    private static int expected(String route, Caller caller, int status) {
        boolean mayMakeTokens = !caller.token() || caller.role() == Role.ADMIN;
        if (ROUTES.get(route).allows(caller.role(), caller.token()) && (mayMakeTokens || !route.equals(MAKES_TOKENS))) {
            return status == 401 || status == 403 ? -1 : status;
        }
        return caller.role() == null ? 401 : 403;
    }

    private List<Caller> callers() {
        List<Caller> callers = new ArrayList<>();
        callers.add(new Caller("nobody", null, false, admin.anonymous()));
        callers.add(new Caller("bad bearer", null, false, admin.anonymous().bearer("orth_" + "x".repeat(43))));
        callers.add(new Caller("short bearer", null, false, admin.anonymous().bearer("x")));
        callers.add(new Caller("expired token", null, false, admin.anonymous().bearer(expiredToken())));
        callers.add(new Caller("revoked token", null, false, admin.anonymous().bearer(revokedToken())));
        for (Role role : Role.values()) {
            callers.add(new Caller("session of " + role, role, false, admin.as(role)));
            callers.add(new Caller("token of " + role, role, true, admin.program(role)));
        }
        return callers;
    }

    private String expiredToken() {
        String token = admin.token(Role.ADMIN, admin.clock.instant().plus(Duration.ofSeconds(1)));
        admin.clock.advance(Duration.ofSeconds(1));
        return token;
    }

    private String revokedToken() {
        String token = admin.token(Role.ADMIN, null);
        admin.jdbc()
                .sql("update orth_api_token set revoked_at = now() where revoked_at is null")
                .update();
        return token;
    }

    private static int call(SecuredClient client, String route) {
        int space = route.indexOf(' ');
        String method = route.substring(0, space);
        boolean body = method.equals("POST") || method.equals("PUT");
        return client.call(method, route.substring(space + 1).replace("{id}", "999999"), body ? "{}" : null)
                .status();
    }

    private long auditRows() {
        return admin.jdbc()
                .sql("select count(*) from orth_audit")
                .query(Long.class)
                .single();
    }

    private static List<String> routesOf(RequestMappingInfo mapping) {
        List<String> routes = new ArrayList<>();
        mapping.getPatternValues()
                .forEach(path ->
                        mapping.getMethodsCondition().getMethods().forEach(method -> routes.add(method + " " + path)));
        return routes;
    }

    @Test
    void deniesRoutesWithoutRule() {
        Map<String, Integer> expected = new LinkedHashMap<>();
        expected.put("GET /actuator/health", 200);
        expected.put("GET /actuator/health/liveness", 200);
        expected.put("GET /actuator/prometheus", 401);
        expected.put("GET /actuator/env", 401);
        expected.put("GET /actuator/heapdump", 401);
        expected.put("POST /actuator/loggers/root", 401);
        expected.put("GET /actuator", 401);
        expected.put("GET /v3/api-docs", 401);
        expected.put("GET /v3/api-docs.yaml", 401);
        expected.put("GET /v3/other", 401);
        expected.put("GET /api/unknown", 401);
        expected.put("POST /api/unknown", 401);
        expected.put("OPTIONS /api/users", 401);
        expected.put("POST /", 401);
        expected.put("POST /login", 401);
        expected.put("GET /application.properties", 401);
        expected.put("GET /xxl-job-admin/api/callback", 401);
        expected.put("GET /error", 404);
        expected.forEach((route, status) -> assertThat(call(admin.anonymous(), route))
                .as("anonymous " + route)
                .isEqualTo(status));

        Map<String, Integer> forAdmin = new LinkedHashMap<>();
        forAdmin.put("GET /actuator/prometheus", 200);
        forAdmin.put("GET /v3/api-docs", 200);
        forAdmin.put("GET /actuator/env", 403);
        forAdmin.put("GET /actuator/beans", 403);
        forAdmin.put("GET /v3/other", 403);
        forAdmin.put("GET /api/unknown", 404);
        forAdmin.put("DELETE /api/unknown", 404);
        forAdmin.put("GET /api/session/password", 405);
        forAdmin.forEach((route, status) -> assertThat(call(admin.program(Role.ADMIN), route))
                .as("admin " + route)
                .isEqualTo(status));
    }

    @Test
    void hidesHealthComponents() {
        assertThat(admin.anonymous().get("/actuator/health").body()).doesNotContain("components", "PostgreSQL");
    }

    @Test
    void leavesExecutorsToTheirControllers() {
        long before = auditRows();

        for (String path : List.of("/api/registry", "/xxl-job-admin/api/registry")) {
            SecuredClient executor = admin.anonymous()
                    .header("Origin", null)
                    .bearer("some-group-token")
                    .header("XXL-JOB-ACCESS-TOKEN", "some-group-token");
            SecuredClient.Answer answer = executor.post(path, "{}");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("executor said {}");
            assertThat(answer.headers().allValues("Set-Cookie")).isEmpty();
        }

        assertThat(auditRows()).isEqualTo(before);
        assertThat(admin.anonymous().get("/api/registry").status()).isEqualTo(401);
    }

    @Test
    void authenticatesBearerTokenCallsByTheTokenAlone() {
        SecuredClient client = admin.as(Role.ADMIN).bearer("orth_" + "x".repeat(43));

        assertThat(client.get("/api/session").status()).isEqualTo(401);
        assertThat(client.delete("/api/tokens/1").status()).isEqualTo(401);
    }

    @Test
    void passesPrincipalToControllers() {
        assertThat(admin.program(Role.OPERATOR)
                        .get("/api/probe/me")
                        .json()
                        .path("name")
                        .asString())
                .isEqualTo("operator/test");
        assertThat(admin.as(Role.OPERATOR)
                        .get("/api/probe/me")
                        .json()
                        .path("kind")
                        .asString())
                .isEqualTo("USER");
    }

    @Test
    void keepsCallersOutOfTheDescriptionOfTheApi() {
        String docs = admin.program(Role.VIEWER).get("/v3/api-docs").body();

        assertThat(docs).contains("/api/users").doesNotContain("\"name\":\"caller\"");
    }
}
