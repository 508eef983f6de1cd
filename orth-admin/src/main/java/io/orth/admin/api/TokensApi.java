package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.security.Access;
import io.orth.admin.security.ApiToken;
import io.orth.admin.security.ApiTokens;
import io.orth.admin.security.Role;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for API tokens: an administrator sees all tokens, other users their own. */
@RestController
@RequestMapping("/api/tokens")
final class TokensApi {

    /** Response to the creation of a token, the only one that contains the token itself. */
    record IssuedToken(
            @JsonUnwrapped ApiTokens.Issued issued,
            @JsonUnwrapped ApiTokens.Draft draft) {}

    private final ApiTokens tokens;

    TokensApi(ApiTokens tokens) {
        this.tokens = tokens;
    }

    @Access(Role.VIEWER)
    @GetMapping
    Page<ApiToken> list(ApiCall call, PageRequest page) {
        return Page.of(tokens.list(call.caller(), page.after().orElse(0), page.rows()), page, ApiToken::id);
    }

    @Access(Role.VIEWER)
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    IssuedToken create(@RequestBody ApiTokens.Draft body, ApiCall call) {
        call.about("token", body.name(), "role " + body.role());
        return new IssuedToken(tokens.create(call.caller(), body), body);
    }

    @Access(Role.VIEWER)
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable long id, ApiCall call) {
        call.about("token", id, null);
        tokens.revoke(call.caller(), id);
    }
}
