package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.ApiToken;
import io.orth.admin.security.ApiTokens;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Keys for programs: an administrator sees all, others their own. */
@RestController
@RequestMapping("/api/tokens")
final class TokensApi {

    record NewToken(String name, Role role, Instant expiresAt) {}

    /** The only answer that ever holds the token. */
    record IssuedToken(String id, String name, Role role, Instant createdAt, Instant expiresAt, String token) {}

    private final ApiTokens tokens;

    TokensApi(ApiTokens tokens) {
        this.tokens = tokens;
    }

    @Access(Role.VIEWER)
    @GetMapping
    Page<ApiToken> list(@AuthenticationPrincipal Principal caller, PageRequest page) {
        return Page.of(tokens.list(caller, page.after().orElse(0), page.rows()), page, ApiToken::id);
    }

    @Access(Role.VIEWER)
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    IssuedToken create(
            @RequestBody NewToken body, @AuthenticationPrincipal Principal caller, HttpServletRequest request) {
        AuditNote.about(request, "token", body.name(), "role " + body.role());
        ApiTokens.Issued issued =
                tokens.create(caller, new ApiTokens.Draft(body.name(), body.role(), body.expiresAt()));
        return new IssuedToken(
                Long.toString(issued.id()),
                body.name(),
                body.role(),
                issued.createdAt(),
                body.expiresAt(),
                issued.token());
    }

    @Access(Role.VIEWER)
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable long id, @AuthenticationPrincipal Principal caller, HttpServletRequest request) {
        AuditNote.about(request, "token", id, null);
        tokens.revoke(caller, id);
    }
}
