package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that rejects a call if all threads of its share are busy, unless it is a health check. A call holds its thread until the filters
 * return: long polls and streams, whose responses are deferred, hold none.
 */
final class RequestThreadsFilter extends OncePerRequestFilter {

    private static final String HEALTH = "/actuator/health";

    private final RequestThreads.Share share;
    private final ProblemWriter problems;

    RequestThreadsFilter(RequestThreads.Share share, ProblemWriter problems) {
        this.share = share;
        this.problems = problems;
    }

    /** Returns whether a call is a health check, whose response is the same for all callers. */
    static boolean isForHealth(HttpServletRequest request) {
        String path = request.getServletPath();
        return HttpMethod.GET.matches(request.getMethod()) && (path.equals(HEALTH) || path.startsWith(HEALTH + "/"));
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return isForHealth(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!share.take()) {
            String detail = "as many calls as allowed are being answered; try again";
            problems.write(request, response, OrthException.of(ErrorCode.UNAVAILABLE, detail));
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            share.giveBack();
        }
    }
}
