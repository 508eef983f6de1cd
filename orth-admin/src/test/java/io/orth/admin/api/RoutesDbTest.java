package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.ReferencePage;
import io.orth.admin.security.Access;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/** The routes the application has, the reference, and what it says of itself are the same. */
class RoutesDbTest {

    private static final String EXECUTORS = "executor token";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    @Test
    void theReferenceListsEveryRouteWithItsRole() {
        Map<String, String> documented = ReferencePage.rows("api.md").stream()
                .collect(Collectors.toMap(row -> row.get(0) + " " + row.get(1), row -> row.get(2)));

        assertThat(new TreeMap<>(documented)).isEqualTo(routes());
    }

    /** The queue wire: pushing, claiming and completing, and the heartbeat. */
    private static final Set<String> WIRE_OF_QUEUES =
            Set.of("POST /api/orth/queues/work", "POST /api/orth/queues/push", "POST /api/registry");

    @Test
    void describesRequestsAndResponsesOfQueueWire() {
        JsonNode described = admin.api().get("/v3/api-docs").json();
        JsonNode schemas = described.path("components").path("schemas");
        JsonNode work = described.path("paths").path("/api/orth/queues/work").path("post");

        assertThat(work.path("requestBody").findValuesAsString("$ref"))
                .containsExactly("#/components/schemas/WorkRequest");
        assertThat(schemas.path("WorkRequest").path("properties").propertyNames())
                .contains("instanceId", "queue", "claim", "slots", "results");
        assertThat(work.path("responses").path("200").findValuesAsString("$ref"))
                .containsExactly("#/components/schemas/WorkAnswer");
        assertThat(schemas.path("WorkReply").path("properties").propertyNames()).contains("refused", "messages");
        assertThat(schemas.path("ClaimedMessage").path("properties").propertyNames())
                .contains("payload", "attempt");
        assertThat(work.path("security").path(0).propertyNames()).containsExactly("groupToken");
        JsonNode token = described.path("components").path("securitySchemes").path("groupToken");
        assertThat(token.path("in").asString()).isEqualTo("header");
        assertThat(token.path("name").asString()).isEqualTo("ORTH-ACCESS-TOKEN");
        assertThat(described
                        .path("paths")
                        .path("/api/registry")
                        .path("post")
                        .path("requestBody")
                        .findValuesAsString("$ref"))
                .containsExactly("#/components/schemas/Registration");
    }

    @Test
    void openApiListsAllRoutesExceptXxlJobWire() {
        Set<String> described = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path :
                admin.api().get("/v3/api-docs").json().path("paths").properties()) {
            path.getValue()
                    .propertyNames()
                    .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey()));
        }

        assertThat(described)
                .isEqualTo(routes().entrySet().stream()
                        .filter(route -> !route.getValue().equals(EXECUTORS) || WIRE_OF_QUEUES.contains(route.getKey()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void openApiDescribesIdsAsTextExceptOnTheWire() {
        JsonNode schemas =
                admin.api().get("/v3/api-docs").json().path("components").path("schemas");

        assertThat(typeOf(schemas, "StateTransition", "entityId")).isEqualTo("string");
        assertThat(typeOf(schemas, "Executor", "instance")).isEqualTo("string");
        assertThat(typeOf(schemas, "Work", "jobId")).isEqualTo("string");
        assertThat(typeOf(schemas, "LogLine", "no")).isEqualTo("string");
        assertThat(typeOf(schemas, "Alarm", "channelId")).isEqualTo("string");
        assertThat(typeOf(schemas, "Alarm", "firstRun")).isEqualTo("string");
        assertThat(typeOf(schemas, "Alarm", "runs")).isEqualTo("integer");
        assertThat(typeOf(schemas, "ClaimedMessage", "id")).isEqualTo("integer");
        assertThat(schemas.path("LogLine").path("properties").path("payload")).isEmpty();
    }

    private static String typeOf(JsonNode schemas, String record, String property) {
        return schemas.path(record)
                .path("properties")
                .path(property)
                .path("type")
                .asString();
    }

    @Test
    void theOpenApiDescriptionNamesTheQueryParametersOfEachCall() {
        JsonNode paths = admin.api().get("/v3/api-docs").json().path("paths");
        Map<String, Set<String>> described = new TreeMap<>();
        Map<String, Set<String>> taken = new TreeMap<>();

        handlers()
                .forEach((mapping, handler) -> mapping.getPatternValues().stream()
                        .filter(paths::has)
                        .forEach(path -> mapping.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> {
                                    JsonNode call =
                                            paths.path(path).path(method.name().toLowerCase(Locale.ROOT));
                                    described.put(method + " " + path, queryParameters(call));
                                    taken.put(
                                            method + " " + path,
                                            new TreeSet<>(QueryParameters.of(handler.getMethod())));
                                })));
        taken.values().forEach(names -> names.remove(MetaFilter.NAME));

        assertThat(described).isEqualTo(taken);
        assertThat(described.get("GET /api/dead-letters")).contains("kind", "limit", "after");
        assertThat(paths.path("/api/users").path("get").path("parameters")).hasToString("""
                [{"name":"limit","in":"query","required":false,"schema":{"type":"integer","format":"int32"}},\
                {"name":"after","in":"query","required":false,"schema":{"type":"string"}}]""");
    }

    private static Set<String> queryParameters(JsonNode call) {
        return call.path("parameters").values().stream()
                .filter(parameter -> parameter.path("in").asString().equals("query"))
                .map(parameter -> parameter.path("name").asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The required role by method and path. */
    private static Map<String, String> routes() {
        Map<String, String> routes = new TreeMap<>();
        handlers()
                .forEach((mapping, handler) -> mapping.getMethodsCondition().getMethods().stream()
                        .flatMap(method -> mapping.getPatternValues().stream().map(path -> method + " " + path))
                        .filter(route -> route.contains(" /api/"))
                        .forEach(route -> routes.put(route, roleOf(handler))));
        return routes;
    }

    private static Map<RequestMappingInfo, HandlerMethod> handlers() {
        return admin.context()
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods();
    }

    private static String roleOf(HandlerMethod handler) {
        if (handler.hasMethodAnnotation(Access.ExecutorToken.class)) {
            return EXECUTORS;
        }
        return handler.hasMethodAnnotation(Access.Public.class)
                ? "anyone"
                : handler.getMethodAnnotation(Access.class).value().name().toLowerCase(Locale.ROOT);
    }
}
