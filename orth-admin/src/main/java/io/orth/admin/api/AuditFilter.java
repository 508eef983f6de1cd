package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access.Audited;
import io.orth.admin.security.AnonymousCalls;
import io.orth.admin.security.AuditLog;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Principal.Kind;
import io.orth.admin.security.TooManyTriesException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that writes one audit row per changing call, including rejected ones. The row is written before the call runs; if it cannot be
 * written, the call is rejected. The filter precedes every check that can reject a call, so that rejections are recorded as well.
 *
 * <p>Routine calls of programs leave a row only if they were rejected, and only afterwards.
 */
final class AuditFilter extends OncePerRequestFilter {

    private static final Logger log = LoggerFactory.getLogger(AuditFilter.class);

    private final AuditLog audit;
    private final AnonymousCalls anonymousCalls;
    private final AccessRules rules;
    private final ProblemWriter problems;

    AuditFilter(AuditLog audit, AnonymousCalls anonymousCalls, AccessRules rules, ProblemWriter problems) {
        this.audit = audit;
        this.anonymousCalls = anonymousCalls;
        this.rules = rules;
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !isAudited(request);
    }

    private boolean isAudited(HttpServletRequest request) {
        return switch (auditedOf(request)) {
            case ALWAYS -> true;
            case CHANGES, BY_PEOPLE -> ForgeryFilter.CHANGING.contains(request.getMethod());
            case NEVER -> false;
        };
    }

    /** Uses the route that will handle the call, so that no spelling of a path bypasses the audit. */
    private Audited auditedOf(HttpServletRequest request) {
        return rules.find(request)
                .map(AccessRules.Route::audited)
                .orElseGet(() -> AccessRules.API.matches(request) ? Audited.CHANGES : Audited.NEVER);
    }

    /** Returns whether this is a routine call of a program. A call with an unknown token is audited like any other. */
    private boolean isRoutine(HttpServletRequest request) {
        return auditedOf(request) == Audited.BY_PEOPLE
                && AccessRules.caller()
                        .filter(who -> who.kind() == Kind.API_TOKEN)
                        .isPresent();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean routine = isRoutine(request);
        long row;
        try {
            row = routine ? 0 : begin(request);
        } catch (TooManyTriesException e) {
            problems.write(request, response, e);
            return;
        } catch (DataAccessException e) {
            log.atWarn().addKeyValue("cause", e.toString()).log("refused a call because it could not be audited");
            problems.write(request, response, OrthException.of(ErrorCode.UNAVAILABLE, "the call could not be audited"));
            return;
        }
        int status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        try {
            chain.doFilter(request, response);
            status = response.getStatus();
        } finally {
            if (!routine) {
                finish(row, AuditNote.of(request).outcome(status));
            } else if (status >= HttpServletResponse.SC_BAD_REQUEST) {
                refused(request, status);
            }
        }
    }

    private void refused(HttpServletRequest request, int status) {
        try {
            finish(begin(request), AuditNote.of(request).outcome(status));
        } catch (DataAccessException e) {
            log.atWarn()
                    .addKeyValue("status", status)
                    .addKeyValue("cause", e.toString())
                    .log("a call that was refused could not be audited");
        }
    }

    private long begin(HttpServletRequest request) {
        Optional<Principal> caller = AccessRules.caller();
        String address = request.getRemoteAddr();
        if (caller.isEmpty()) {
            anonymousCalls.admit(address);
        }
        String path = AccessRules.pathOf(request);
        String route = rules.find(request).map(AccessRules.Route::pattern).orElse(path);
        String object = route.equals(path) ? null : path;
        return audit.begin(new AuditLog.Attempt(
                caller.orElse(null), request.getMethod() + " " + route, object, address, TraceId.of(request)));
    }

    /** Completes the row after the call. If that fails, the row keeps no outcome. */
    private void finish(long row, AuditLog.Outcome outcome) {
        try {
            audit.finish(row, outcome);
        } catch (DataAccessException e) {
            log.atWarn()
                    .addKeyValue("audit", row)
                    .addKeyValue("status", outcome.status())
                    .addKeyValue("cause", e.toString())
                    .log("the outcome of a call could not be audited");
        }
    }
}
