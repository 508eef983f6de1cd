package io.orth.admin.api;

import io.orth.admin.security.SecurityProperties;
import io.orth.admin.security.Sessions;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.util.WebUtils;

/** Cookie with the session token. Under HTTPS its name starts with {@code __Host-}, so that no neighbouring host can set one. */
@Component
final class SessionCookie {

    private static final String PLAIN = "orth-session";
    private static final String SECURE = "__Host-orth-session";

    private final SecurityProperties settings;

    SessionCookie(SecurityProperties settings) {
        this.settings = settings;
    }

    Optional<String> read(HttpServletRequest request) {
        return Optional.ofNullable(WebUtils.getCookie(request, name(request))).map(Cookie::getValue);
    }

    void write(HttpServletRequest request, HttpServletResponse response, Sessions.Issued session) {
        add(request, response, session.token(), session.lifetime());
    }

    void clear(HttpServletRequest request, HttpServletResponse response) {
        add(request, response, "", Duration.ZERO);
    }

    boolean isSecure(HttpServletRequest request) {
        return settings.secureCookies() || request.isSecure();
    }

    private String name(HttpServletRequest request) {
        return isSecure(request) ? SECURE : PLAIN;
    }

    private void add(HttpServletRequest request, HttpServletResponse response, String value, Duration maxAge) {
        ResponseCookie cookie = ResponseCookie.from(name(request), value)
                .httpOnly(true)
                .secure(isSecure(request))
                .sameSite("Strict")
                .path("/")
                .maxAge(maxAge)
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }
}
