package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.SecurityProperties;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that rejects changing calls which a page of another site can cause: calls from another origin, and calls whose body is neither
 * JSON nor YAML, as HTML forms send them. Headers that browsers always send may be missing, because programs need not send them.
 */
final class ForgeryFilter extends OncePerRequestFilter {

    static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");

    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final List<String> origins;
    private final ProblemWriter problems;

    ForgeryFilter(SecurityProperties settings, ProblemWriter problems) {
        this.origins = settings.origins();
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<OrthException> refusal = CHANGING.contains(request.getMethod()) ? refusal(request) : Optional.empty();
        if (refusal.isPresent()) {
            problems.write(request, response, refusal.get());
        } else {
            chain.doFilter(request, response);
        }
    }

    private Optional<OrthException> refusal(HttpServletRequest request) {
        if (!isFromOwnOrigin(request)) {
            return Optional.of(OrthException.of(ErrorCode.NOT_ALLOWED, "calls from other origins are refused"));
        }
        if (request.getHeader(HttpHeaders.CONTENT_ENCODING) != null || !isNoFormsBody(request)) {
            return Optional.of(OrthException.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "send application/json"));
        }
        return Optional.empty();
    }

    private boolean isFromOwnOrigin(HttpServletRequest request) {
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin != null && origins.contains(origin)) {
            return true;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !OWN_SITES.contains(site)) {
            return false;
        }
        return origin == null || isHost(origin, request.getHeader(HttpHeaders.HOST));
    }

    /** Ignores the scheme: if TLS ends at a proxy, this server sees another scheme than the browser. */
    private static boolean isHost(String origin, String host) {
        String lower = origin.toLowerCase(Locale.ROOT);
        return host != null
                && (lower.equals("https://" + host.toLowerCase(Locale.ROOT))
                        || lower.equals("http://" + host.toLowerCase(Locale.ROOT)));
    }

    private static boolean isNoFormsBody(HttpServletRequest request) {
        String type = request.getContentType();
        if (type == null) {
            return !BodyLimitFilter.hasBody(request);
        }
        try {
            MediaType given = MediaType.parseMediaType(type);
            return MediaType.APPLICATION_JSON.equalsTypeAndSubtype(given) || JobText.YAML.equalsTypeAndSubtype(given);
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }
}
