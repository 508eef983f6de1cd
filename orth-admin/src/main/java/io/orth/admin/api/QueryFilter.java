package io.orth.admin.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/** Filter that rejects queries which cannot be decoded as text. Otherwise the first access to a parameter would fail during the call. */
final class QueryFilter extends OncePerRequestFilter {

    private final ProblemWriter problems;

    QueryFilter(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getQueryString() == null || isReadable(request)) {
            chain.doFilter(request, response);
        } else {
            problems.write(request, response, OrthException.of(ErrorCode.INVALID_INPUT, "the query cannot be decoded"));
        }
    }

    /** Returns whether the body holds parameters. Such parameters are never read, because that would consume the body. */
    static boolean hasParametersInItsBody(HttpServletRequest request) {
        String type = request.getContentType();
        return type != null
                && request.getMethod().equals("POST")
                && type.trim().toLowerCase(Locale.ROOT).startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    private static boolean isReadable(HttpServletRequest request) {
        if (hasParametersInItsBody(request)) {
            return isText(request.getQueryString());
        }
        try {
            return request.getParameterMap() != null;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static boolean isText(String query) {
        try {
            String bytes = StringUtils.uriDecode(query, ISO_8859_1);
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.getBytes(ISO_8859_1))) != null;
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return false;
        }
    }
}
