package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Stands in for the other features' controllers. */
@RestController
final class ProbeApi {

    record Shape(String text, Integer number, Boolean flag, Role role, List<Shape> list) {}

    @Access.ExecutorToken
    @PostMapping({"/api/registry", "/xxl-job-admin/api/registry"})
    String registry(@RequestBody(required = false) String body) {
        return "executor said " + body;
    }

    @Access(Role.VIEWER)
    @GetMapping("/api/probe/me")
    Principal me(@AuthenticationPrincipal Principal caller) {
        return caller;
    }

    @Access(value = Role.ADMIN, audited = Access.Audited.ALWAYS)
    @GetMapping("/api/probe/secret")
    String secret() {
        return "swordfish";
    }

    @Access(Role.OPERATOR)
    @PostMapping("/api/probe/jobs/{id}/run")
    String run(@PathVariable long id, HttpServletRequest request) {
        AuditNote.about(request, "job", id, "by hand\r\nactor=nobody");
        return "running";
    }

    @Access(Role.VIEWER)
    @PostMapping("/api/probe/shape")
    Shape shape(@RequestBody Shape shape) {
        return shape;
    }

    @Access(Role.VIEWER)
    @GetMapping("/api/probe/number")
    long number(@RequestParam long n) {
        return n;
    }

    @Access(Role.VIEWER)
    @RequestMapping("/api/probe/bug")
    String bug(HttpServletRequest request) {
        return fail(request, new IllegalStateException("the secret is swordfish"));
    }

    @Access(Role.VIEWER)
    @GetMapping("/api/probe/no-database")
    String noDatabase(HttpServletRequest request) {
        return fail(request, new CannotGetJdbcConnectionException("jdbc:postgresql://db:5432/orth refused"));
    }

    private static String fail(HttpServletRequest request, RuntimeException failure) {
        if (request.getRequestURI().startsWith("/api/probe/")) {
            throw failure;
        }
        return "";
    }
}
