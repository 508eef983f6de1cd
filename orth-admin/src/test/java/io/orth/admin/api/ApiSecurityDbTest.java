package io.orth.admin.api;

import static io.orth.admin.api.SecuredServer.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.security.Role;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks by hostile pages, forms and clients at the HTTP edge. */
class ApiSecurityDbTest {

    private static final String RUN = "/api/probe/jobs/7/run";

    @RegisterExtension
    static final SecuredServer.Shared shared = new SecuredServer.Shared();

    private SecuredServer admin;

    @BeforeEach
    void setUp() {
        admin = shared.get();
    }

    @Test
    void acceptsTheConsole() {
        SecuredClient console = admin.as(Role.OPERATOR).header("Sec-Fetch-Site", "same-origin");

        assertThat(console.post(RUN, null).status()).isEqualTo(200);
        assertThat(console.post(RUN, "{}").status()).isEqualTo(200);
    }

    @Test
    void needsTheXsrfHeaderWithASessionCookieOnly() {
        SecuredClient session = admin.as(Role.OPERATOR);
        String right = session.cookies().get(SecuredClient.XSRF);
        session.cookies().remove(SecuredClient.XSRF);

        assertThat(session.post(RUN, null).status()).isEqualTo(403);
        session.cookies().put(SecuredClient.XSRF, right);
        assertThat(session.header("X-XSRF-TOKEN", "guess").post(RUN, null).status())
                .isEqualTo(403);
        assertThat(session.header("X-XSRF-TOKEN", "")
                        .post(RUN, null)
                        .json()
                        .path("detail")
                        .asString())
                .contains("X-XSRF-TOKEN");
        assertThat(session.header("X-XSRF-TOKEN", null).post(RUN, null).status())
                .isEqualTo(200);
        assertThat(admin.program(Role.OPERATOR).post(RUN, null).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "",
                "https://evil.example",
                "http://127.0.0.1",
                "http://127.0.0.1:1",
                "http://127.0.0.1.evil.example",
                "file://"
            })
    void rejectsOtherOrigins(String origin) {
        assertThat(admin.as(Role.OPERATOR)
                        .header("Origin", origin)
                        .post(RUN, null)
                        .status())
                .isEqualTo(403);
        assertThat(admin.anonymous()
                        .header("Origin", origin)
                        .login("viewer", PASSWORD)
                        .status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"same-origin,200", "none,200", "same-site,403", "cross-site,403", "nonsense,403"})
    void checksSecFetchSite(String site, int status) {
        assertThat(admin.as(Role.OPERATOR)
                        .header("Origin", null)
                        .header("Sec-Fetch-Site", site)
                        .post(RUN, null)
                        .status())
                .isEqualTo(status);
    }

    @Test
    void leavesAClientWithoutAnOriginToTheXsrfHeader() {
        SecuredClient client = admin.as(Role.OPERATOR).header("Origin", null);

        assertThat(client.post(RUN, null).status()).isEqualTo(200);
        client.cookies().remove(SecuredClient.XSRF);
        assertThat(client.post(RUN, null).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/xml",
                "text/plain; application/json",
                "nonsense"
            })
    void rejectsBodiesThatAreNotJson(String type) {
        SecuredClient client = admin.as(Role.ADMIN).header("Content-Type", type);

        Answer answer =
                client.post("/api/users", "{\"name\":\"eve\",\"password\":\"eve has a password\",\"role\":\"ADMIN\"}");

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.code()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
        assertThat(admin.jdbc()
                        .sql("select count(*) from orth_user where name = 'eve'")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @Test
    void rejectsCompressedBodies() {
        assertThat(admin.as(Role.ADMIN)
                        .header("Content-Encoding", "gzip")
                        .post("/api/users", "{}")
                        .status())
                .isEqualTo(415);
    }

    @Test
    void rejectsMethodOverride() {
        SecuredClient viewer =
                admin.as(Role.VIEWER).header("X-HTTP-Method-Override", "DELETE").header("X-HTTP-Method", "DELETE");

        assertThat(viewer.get("/api/tokens?_method=delete").status()).isEqualTo(200);
        assertThat(admin.as(Role.OPERATOR).get(RUN).status()).isEqualTo(405);
    }

    @Test
    void answersNoPreflight() {
        Answer answer = admin.anonymous()
                .header("Origin", "https://evil.example")
                .header("Access-Control-Request-Method", "POST")
                .call("OPTIONS", "/api/session", null);

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/setup", "/api/users", "/actuator/health", "/api/registry"})
    void sendsTheSecurityHeadersWithEverything(String path) {
        Answer answer = admin.anonymous().get(path);

        assertThat(answer.header("Content-Security-Policy"))
                .isEqualTo("default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                        + " frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("same-origin");
        assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.headers().firstValue("Server")).isEmpty();
        assertThat(answer.header("Trace-Id")).matches("[0-9a-f]{32}");
        if (path.startsWith("/api")) {
            assertThat(answer.header("Cache-Control")).contains("no-store");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/users/../users",
                "/api//users",
                "/api/users;x=1",
                "/api/%2e%2e/users",
                "/api/users%2f1",
                "/api/users%00",
                "//api/users",
                "/api/users%0d%0aX: y",
                "/api/users/",
                "/actuator/health/../env",
                "/assets/../../application.properties",
                "/assets/%2e%2e/%2e%2e/application.properties"
            })
    void appliesRulesToAnySpellingOfThePath(String path) throws IOException {
        String answer = raw("GET " + path.replace(" ", "%20") + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer).matches("(?s)HTTP/1\\.1 (400|401|404) .*").doesNotContain("\"items\"");
    }

    /** Whether the console's files are there or not, as in a build without it, its addresses all answer alike. */
    @ParameterizedTest
    @ValueSource(strings = {"/jobs", "/jobs/7", "/API/users", "/index.html"})
    void answersEveryAddressOfTheConsoleWithItsStartPage(String path) {
        Answer start = admin.anonymous().get("/");
        Answer answer = admin.anonymous().get(path);

        assertThat(answer.status()).isEqualTo(start.status()).isIn(200, 404);
        if (start.status() == 200) {
            assertThat(answer.header("Content-Type")).startsWith("text/html");
            assertThat(answer.body()).isEqualTo(start.body()).contains("<html");
            assertThat(answer.header("Cache-Control")).isEqualTo("no-cache");
        }
    }

    @Test
    void rejectsLargeBodyBeforeReadingIt() {
        Answer answer = admin.anonymous().login("viewer", "x".repeat(3_200_000));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.code()).isEqualTo("TOO_LARGE");
    }

    @Test
    void rejectsChunkedLargeBodyWhileReadingIt() throws IOException {
        String chunk = " ".repeat(60_000);
        String head = head("/api/session", "Transfer-Encoding: chunked");
        StringBuilder request = new StringBuilder(head);
        for (int i = 0; i < 60; i++) {
            request.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }

        String answer = raw(request + "0\r\n\r\n");

        assertThat(answer).matches("(?s)HTTP/1\\.1 413 .*");
        assertThat(answer).contains("application/problem+json");
    }

    @Test
    void rejectsHugePasswordWithoutHashingIt() {
        assertThat(admin.anonymous().login("viewer", "x".repeat(15_000)).status())
                .isEqualTo(401);
        assertThat(admin.anonymous().login("viewer", "x".repeat(17_000)).status())
                .isEqualTo(413);
    }

    @Test
    void letsExecutorsSendMore() throws IOException {
        assertThat(admin.anonymous()
                        .post("/api/registry", "x".repeat(2_000_000))
                        .status())
                .isEqualTo(200);
        assertThat(raw(head("/api/registry", "Content-Length: 16777217"))).startsWith("HTTP/1.1 413 ");
    }

    @ParameterizedTest
    @Tag("must-first")
    @ValueSource(strings = {"/api/users", "/a%70i/users"})
    void boundsAuditEntriesOfUnauthenticatedAddress(String path) {
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            refused += admin.anonymous().post(path, "{}").status() == 429 ? 1 : 0;
        }

        assertThat(refused).isEqualTo(100);
        assertThat(admin.program(Role.ADMIN).get("/api/users").status()).isEqualTo(200);
    }

    @Test
    void opensNoSessionOfTheServletContainer() {
        Answer answer = admin.anonymous().login("viewer", PASSWORD);

        assertThat(answer.headers().allValues("Set-Cookie")).noneMatch(cookie -> cookie.contains("JSESSIONID"));
    }

    @Test
    void marksTheXsrfCookieForThisSiteOnly() {
        assertThat(admin.anonymous().get("/api/setup").headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .matches("XSRF-TOKEN=[^;]+; Path=/; SameSite=Strict");
    }

    private static String head(String path, String length) {
        return String.join(
                "\r\n",
                "POST " + path + " HTTP/1.1",
                "Host: x",
                "Connection: close",
                "Content-Type: application/json",
                length,
                "",
                "");
    }

    private String raw(String request) throws IOException {
        URI url = admin.url();
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
