package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.security.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemDbTest {

    private static final String SHAPE = "/api/probe/shape";

    @RegisterExtension
    static final SecuredServer.Shared shared = new SecuredServer.Shared();

    private SecuredClient client;

    @BeforeEach
    void setUp() {
        client = shared.get().program(Role.OPERATOR);
    }

    @Test
    void containsAllProblemFields() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";

        Answer answer = client.header("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
                .header("Accept", "text/html")
                .post(SHAPE, "{\"number\":\"seven\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.header("Trace-Id")).isEqualTo(trace);
        assertThat(answer.body())
                .isEqualTo("{\"type\":\"urn:orth:problem:invalid-input\",\"title\":\"Invalid input\",\"status\":400,"
                        + "\"detail\":\"number must be a number\",\"code\":\"INVALID_INPUT\","
                        + "\"errors\":[{\"field\":\"number\",\"message\":\"must be a number\"}],"
                        + "\"traceId\":\"" + trace + "\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"text\":7}|text|must be a text",
                "{\"text\":{}}|text|must be a text",
                "{\"number\":1.5}|number|must be a number",
                "{\"number\":99999999999}|number|must be a number",
                "{\"flag\":\"true\"}|flag|must be true or false",
                "{\"role\":\"ROOT\"}|role|must be one of VIEWER, OPERATOR, ADMIN",
                "{\"role\":2}|role|must be one of VIEWER, OPERATOR, ADMIN",
                "{\"list\":{}}|list|must be a list",
                "{\"list\":[{},{\"list\":[{\"nope\":1}]}]}|list[1].list[0].nope|is not known here",
                "{\"@class\":\"java.lang.Runtime\"}|@class|is not known here"
            })
    void namesTheFieldAndNoJavaClass(String body, String field, String message) {
        Answer answer = client.post(SHAPE, body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(field);
        assertThat(answer.json().at("/errors/0/message").asString()).isEqualTo(message);
        assertThat(answer.body()).doesNotContain("io.orth", "java.lang.String", "Exception", "jackson");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "7",
                "null",
                "{\"text\":\"a\"} {}",
                "{\"text\":\"a\",\"text\":\"b\"}",
                "\u0000",
                "{'text':1}"
            })
    void rejectsBodyThatIsNotOneJsonObject(String body) {
        Answer answer = client.post(SHAPE, body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("INVALID_INPUT");
        assertThat(answer.body()).doesNotContain("io.orth", "Exception", "jackson");
    }

    @Test
    void rejectsBombs() {
        String deep = "{\"list\":[".repeat(5_000);
        String name = "{\"" + "n".repeat(900_000) + "\":1}";
        String number = "{\"number\":" + "9".repeat(900_000) + "}";
        String exponent = "{\"number\":1e999999999}";

        for (String bomb : new String[] {deep, name, number, exponent, "[".repeat(900_000)}) {
            Answer answer = client.post(SHAPE, bomb);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body().length()).isLessThan(1_000);
        }
    }

    @Test
    void acceptsValidBody() {
        String body = "{\"text\":\"a\",\"number\":7,\"flag\":true,\"role\":\"ADMIN\",\"list\":[]}";

        assertThat(client.post(SHAPE, body).body()).isEqualTo(body);
    }

    @Test
    void namesMissingAndMistypedParameters() {
        assertThat(client.get("/api/probe/number")
                        .json()
                        .at("/errors/0/message")
                        .asString())
                .isEqualTo("is missing");
        assertThat(client.get("/api/probe/number?n=x").json().path("detail").asString())
                .isEqualTo("n must be a number");
    }

    @Test
    void hidesUnexpectedFailures() {
        Answer answer = client.get("/api/probe/bug");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.code()).isEqualTo("INTERNAL");
        assertThat(answer.body()).doesNotContain("swordfish", "IllegalState");
        assertThat(answer.json().path("traceId").asString()).isEqualTo(answer.header("Trace-Id"));
    }

    @Test
    void requestsRetryWhileDatabaseDoesNotRespond() {
        Answer answer = client.get("/api/probe/no-database");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("5");
        assertThat(answer.body()).doesNotContain("jdbc", "5432");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/api/nothing,404,NOT_FOUND",
        "PATCH,/api/session,405,METHOD_NOT_ALLOWED",
        "GET,/api/probe/shape,405,METHOD_NOT_ALLOWED",
        "GET,/api/users,403,NOT_ALLOWED",
        "GET,/actuator/env,403,NOT_ALLOWED",
        "GET,/error,404,NOT_FOUND"
    })
    void usesOneFormatForEveryRejection(String method, String path, int status, String code) {
        Answer answer = client.call(method, path, null);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void asksForAuthentication() {
        Answer answer = shared.get().anonymous().get("/api/users");

        assertThat(answer.code()).isEqualTo("NOT_AUTHENTICATED");
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"orth\"");
    }
}
