package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.security.BodyWaits;
import io.orth.admin.security.BodyWaits.Caller;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that rejects bodies that are too large: immediately if the length is announced, otherwise when too much has been read. A body is
 * read only when the handler of the call asks for it, within a timeout, and by a limited share of the threads.
 */
final class BodyLimitFilter extends OncePerRequestFilter {

    /**
     * Limits of a body.
     *
     * @param timeout from the first read until the last byte has arrived
     */
    record Limits(Caller caller, DataSize maxSize, Duration timeout) {}

    private final Supplier<Limits> limits;
    private final BodyWaits waits;
    private final Ticker ticker;
    private final ProblemWriter problems;

    BodyLimitFilter(Supplier<Limits> limits, BodyWaits waits, Ticker ticker, ProblemWriter problems) {
        this.limits = limits;
        this.waits = waits;
        this.ticker = ticker;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!hasBody(request)) {
            chain.doFilter(request, response);
            return;
        }
        if (!ForgeryFilter.CHANGING.contains(request.getMethod())) {
            String detail = "a %s has no body".formatted(request.getMethod());
            problems.write(request, response, OrthException.of(ErrorCode.INVALID_INPUT, detail));
            return;
        }
        Limits allowed = limits.get();
        if (request.getContentLengthLong() > allowed.maxSize().toBytes()) {
            problems.write(request, response, LimitedBody.tooLarge(allowed));
            return;
        }
        try (LimitedBody body = new LimitedBody(request, allowed, waits, ticker)) {
            chain.doFilter(body, response);
        }
    }

    static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }
}
