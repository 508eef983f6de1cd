package io.orth.admin.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Writer of error responses for filters. Uses {@link ProblemHandler}, like controllers do. */
final class ProblemWriter {

    private final HandlerExceptionResolver resolver;

    ProblemWriter(HandlerExceptionResolver resolver) {
        this.resolver = resolver;
    }

    void write(HttpServletRequest request, HttpServletResponse response, Exception cause) {
        resolver.resolveException(request, response, null, cause);
    }
}
