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
 * Leaves one audit row per changing call, refused ones included. The row is there before the call runs: where it cannot
 * be written, the call is refused. It stands before every check that can refuse the call, so that refusals are seen too.
 *
 * <p>What programs do all day long leaves a row only where it was refused, and afterwards.
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

    /** Goes by the route that will answer, so that no spelling of an address gets around it. */
    private Audited auditedOf(HttpServletRequest request) {
        return rules.find(request)
                .map(AccessRules.Route::audited)
                .orElseGet(() -> AccessRules.API.matches(request) ? Audited.CHANGES : Audited.NEVER);
    }

    /** A token that nobody knows is not a program's: its call is audited like anybody's. */
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

    /** The call has happened; a row that cannot be closed stays open and says so by having no outcome. */
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
