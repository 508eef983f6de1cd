package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orth.admin.security.Role;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Addresses that are no text in UTF-8 are the caller's fault, and cost the log nothing. */
@Tag("must-first")
class UndecodableRequestsDbTest {

    @RegisterExtension
    static final SecuredServer.Shared shared = new SecuredServer.Shared();

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private SecuredServer admin;

    @BeforeEach
    void listen() {
        admin = shared.get();
        lines.start();
        root().addAppender(lines);
    }

    @AfterEach
    void stop() {
        root().detachAppender(lines);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/health?x=%ff",
                "/actuator/health?%ff=x",
                "/actuator/health?x=%",
                "/actuator/health?x=%zz",
                "/api/session?x=%ff",
                "/api/probe/number?n=%ff",
                "/api/probe/number?n=1&x=%c3%28",
                "/api/audit?q=%ff",
                "/api/nothing?x=%ff",
                "/?x=%ff",
                "/jobs?x=%ff",
                "/api/%ff",
                "/%ff",
                "/api/%zz",
                "/jobs/%c3%28"
            })
    void returnsBadRequestWithoutLogging(String address) throws IOException {
        assertBadRequest("GET " + address, "");
    }

    /** Reading a parameter of a form would read its body. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/session?x=%ff",
                "/api/session?%ff=x",
                "/api/session?x=%",
                "/api/session?x=%zz",
                "/api/probe/jobs/1/run?x=%c3%28",
                "/api/registry?x=%ff",
                "/xxl-job-admin/api/registry?x=%ff",
                "/api/nothing?x=%ff",
                "/jobs?x=%ff"
            })
    void returnsBadRequestForFormToo(String address) throws IOException {
        assertBadRequest("POST " + address, "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n");
    }

    private void assertBadRequest(String request, String headers) throws IOException {
        String token = admin.token(Role.ADMIN, null);

        String answer = send(request, headers + "Authorization: Bearer " + token + "\r\n");
        String anonymous = send(request, headers);

        assertThat(List.of(answer, anonymous))
                .allSatisfy(one -> assertThat(one)
                        .startsWith("HTTP/1.1 400 ")
                        .contains("application/problem+json", "\"code\":\"INVALID_INPUT\"", "\"traceId\":\""));
        assertThat(lines.list).isEmpty();
    }

    private String send(String request, String headers) throws IOException {
        URI url = admin.url();
        String body = request.startsWith("POST ") ? "a=b" : "";
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write((request + " HTTP/1.1\r\nHost: x\r\n" + headers + "Connection: close\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
