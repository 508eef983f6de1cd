package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.security.Access;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** A misspelt filter must not answer everything. */
@Tag("must-kernel")
class QueryParametersDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /api/runs?jobid=1                           | jobid      | after, from, groupId, jobId, limit, status, to
            /api/jobs?q=x&page=2                        | page       | after, enabled, groupId, limit, q
            /api/dead-letters?limit=1&Queue=emails      | Queue      | after, error, fingerprint, from, handler, jobId, kind, limit, queue, to, traceId
            /api/streams?streams=/api/logs/stream       | streams    | stream
            """)
    void rejectsUnknownParameterByName(String path, String name, String known) {
        Answer answer = admin.api().get(path);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("INVALID_INPUT");
        assertThat(answer.json().path("detail").asString())
                .isEqualTo("%s is not a query parameter of this call; those are %s".formatted(name, known));
    }

    @Test
    void reportsRouteWithoutParameters() {
        assertThat(admin.api().get("/api/session?verbose").json().path("detail").asString())
                .isEqualTo("verbose is not a query parameter of this call, which has none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; drop table orth_run --",
                "<script>alert(1)</script>",
                "a\r\nSet-Cookie: x=y",
                "\u0000",
                "limit "
            })
    void rejectsHostileNames(String name) {
        Answer answer = admin.api().get("/api/runs?" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "=1");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(String.valueOf(answer.header("Set-Cookie"))).doesNotContain("x=y");
    }

    @Test
    void aLongNameIsCut() {
        Answer answer = admin.api().get("/api/runs?" + "x".repeat(5_000) + "=1");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).hasSizeLessThan(1_000).contains("xxx…");
    }

    /** A call with a misspelt parameter has no effect, for example an import that was meant as a dry run. */
    @Test
    void noOwnRouteTakesUnknownParameters() {
        Map<RequestMappingInfo, HandlerMethod> routes = admin.context()
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods();
        List<String> taken = routes.entrySet().stream()
                .filter(route -> route.getValue()
                        .getBeanType()
                        .getPackageName()
                        .equals(QueryParametersDbTest.class.getPackageName()))
                .filter(route -> !route.getValue().hasMethodAnnotation(Access.ExecutorToken.class))
                .flatMap(route -> route.getKey().getPatternValues().stream()
                        .flatMap(path -> route.getKey().getMethodsCondition().getMethods().stream()
                                .filter(method -> statusOf(method, path) != 400)
                                .map(method -> method + " " + path)))
                .toList();

        assertThat(taken).isEmpty();
    }

    private static int statusOf(RequestMethod method, String pattern) {
        String path = pattern.replaceAll("\\{[^}]*}", "1") + "?misspelt=1";
        SecuredClient api = admin.api();
        return switch (method) {
            case GET -> api.get(path).status();
            case POST -> api.post(path, "{}").status();
            case PUT -> api.put(path, "{}").status();
            case DELETE -> api.delete(path).status();
            default -> throw new IllegalStateException("no call of this kind is known: " + method);
        };
    }
}
