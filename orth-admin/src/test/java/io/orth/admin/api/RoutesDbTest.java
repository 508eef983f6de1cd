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

    @Test
    void theOpenApiDescriptionListsTheSameButTheExecutorsWire() {
        Set<String> described = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path :
                admin.api().get("/v3/api-docs").json().path("paths").properties()) {
            path.getValue()
                    .propertyNames()
                    .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey()));
        }

        assertThat(described)
                .isEqualTo(routes().entrySet().stream()
                        .filter(route -> !route.getValue().equals(EXECUTORS))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** By method and path, who may call it. */
    private static Map<String, String> routes() {
        Map<String, String> routes = new TreeMap<>();
        admin.context()
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((mapping, handler) -> mapping.getMethodsCondition().getMethods().stream()
                        .flatMap(method -> mapping.getPatternValues().stream().map(path -> method + " " + path))
                        .filter(route -> route.contains(" /api/"))
                        .forEach(route -> routes.put(route, roleOf(handler))));
        return routes;
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
