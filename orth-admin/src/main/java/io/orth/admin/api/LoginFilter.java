package io.orth.admin.api;

import io.orth.admin.security.ApiTokens;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Sessions;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.transaction.TransactionException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that authenticates the caller by bearer token or session cookie. A call with a bearer token is authenticated by the token alone;
 * an invalid one never falls back to the cookie. A caller with invalid credentials is anonymous and may call public routes. Health checks
 * are not authenticated: any caller may make them, and they must not wait for a database connection.
 */
final class LoginFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";

    private final Sessions sessions;
    private final ApiTokens tokens;
    private final SessionCookie cookie;
    private final ProblemWriter problems;

    LoginFilter(Sessions sessions, ApiTokens tokens, SessionCookie cookie, ProblemWriter problems) {
        this.sessions = sessions;
        this.tokens = tokens;
        this.cookie = cookie;
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return RequestThreadsFilter.isForHealth(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Principal> caller;
        try {
            caller = bearer(request)
                    .map(tokens::find)
                    .orElseGet(() -> cookie.read(request).flatMap(sessions::find));
        } catch (DataAccessException | TransactionException e) {
            problems.write(request, response, e);
            return;
        }
        caller.ifPresent(LoginFilter::enter);
        chain.doFilter(request, response);
    }

    private static Optional<String> bearer(HttpServletRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        return Optional.of(header.substring(BEARER.length()).trim());
    }

    private static void enter(Principal caller) {
        SecurityContextHolder.setContext(new SecurityContextImpl(new PreAuthenticatedAuthenticationToken(
                caller, null, AuthorityUtils.createAuthorityList("ROLE_" + caller.role()))));
    }
}
