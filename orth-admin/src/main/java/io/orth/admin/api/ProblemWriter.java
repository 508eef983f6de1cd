package io.orth.admin.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Lets filters answer the way controllers do: through {@link ProblemHandler}. */
final class ProblemWriter {

    private final HandlerExceptionResolver resolver;

    ProblemWriter(HandlerExceptionResolver resolver) {
        this.resolver = resolver;
    }

    void write(HttpServletRequest request, HttpServletResponse response, Exception cause) {
        resolver.resolveException(request, response, null, cause);
    }
}
