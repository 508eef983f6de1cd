package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Valve that responds with a {@link Problem} to requests that the web server itself rejects, such as a path that cannot be decoded. */
final class ProblemReportValve extends ErrorReportValve {

    private final JsonMapper json;

    ProblemReportValve(JsonMapper json) {
        this.json = json;
    }

    @Override
    protected void report(Request request, Response response, Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        ErrorCode code = ProblemPage.codeOf(status);
        byte[] body = json.writeValueAsString(Problem.of(code, "the call was refused", List.of(), TraceId.of(request)))
                .getBytes(StandardCharsets.UTF_8);
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException e) {
            container.getLogger().debug("a refusal could not be sent", e);
        }
    }
}
