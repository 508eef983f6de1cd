package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import io.orth.admin.security.Logins;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import io.orth.admin.security.Sessions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for login, logout and changing one's own password. */
@RestController
@RequestMapping("/api/session")
final class SessionApi {

    record Session(String user, Role role) {}

    record LoginRequest(String user, String password) {}

    record PasswordRequest(String current, String next) {}

    private final Logins logins;
    private final Sessions sessions;
    private final SessionCookie cookie;

    SessionApi(Logins logins, Sessions sessions, SessionCookie cookie) {
        this.logins = logins;
        this.sessions = sessions;
        this.cookie = cookie;
    }

    @Access(Role.VIEWER)
    @GetMapping
    Session current(@AuthenticationPrincipal Principal caller) {
        return view(caller);
    }

    /** Starts a new session. If the browser already has one, that session ends. */
    @Access.Public
    @PostMapping
    Session login(@RequestBody LoginRequest login, HttpServletRequest request, HttpServletResponse response) {
        String user = required("user", login.user());
        String password = required("password", login.password());
        AuditNote.about(request, "user", user, null);
        Sessions.Issued session = logins.login(user, password, request.getRemoteAddr());
        AuditNote.by(request, session.principal());
        cookie.read(request).ifPresent(sessions::end);
        cookie.write(request, response, session);
        return view(session.principal());
    }

    @Access.Public
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void logout(HttpServletRequest request, HttpServletResponse response) {
        cookie.read(request).ifPresent(sessions::end);
        cookie.clear(request, response);
    }

    @Access(Role.VIEWER)
    @PutMapping("/password")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePassword(
            @RequestBody PasswordRequest change,
            @AuthenticationPrincipal Principal caller,
            HttpServletRequest request,
            HttpServletResponse response) {
        AuditNote.about(request, "user", caller.name(), "own password");
        if (caller.kind() != Principal.Kind.USER) {
            throw OrthException.of(ErrorCode.NOT_ALLOWED, "an API token changes no password: log in");
        }
        String current = required("current", change.current());
        String next = required("next", change.next());
        cookie.write(request, response, logins.changePassword(caller, current, next, request.getRemoteAddr()));
    }

    private static Session view(Principal caller) {
        return new Session(caller.name(), caller.role());
    }

    private static String required(String field, String value) {
        if (value == null || value.isEmpty()) {
            throw OrthException.invalid(field, "is missing");
        }
        return value;
    }
}
