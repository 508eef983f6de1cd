package io.orth.admin.api;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Filter that restores the documented name of a metric. Prometheus' library reserves the suffix {@code created} and would rename
 * {@code hydrate_jobs_created_total}.
 */
@Component
final class MetricNamesFilter extends OncePerRequestFilter {

    private static final String PATH = "/actuator/prometheus";
    private static final String OURS = "hydrate_jobs_made";
    private static final String KNOWN = "hydrate_jobs_created";

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI().equals(request.getContextPath() + PATH);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ContentCachingResponseWrapper answer = new ContentCachingResponseWrapper(response);
        chain.doFilter(request, answer);
        String type = answer.getContentType();
        if (type == null || !type.contains("text")) {
            answer.copyBodyToResponse();
            return;
        }
        byte[] renamed = new String(answer.getContentAsByteArray(), StandardCharsets.UTF_8)
                .replace(OURS, KNOWN)
                .getBytes(StandardCharsets.UTF_8);
        response.setContentLength(renamed.length);
        response.getOutputStream().write(renamed);
    }
}
