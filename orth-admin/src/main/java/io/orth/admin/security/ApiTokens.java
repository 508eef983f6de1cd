package io.orth.admin.security;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * API tokens for programs. A token belongs to the user who created it, never has more rights than that user, and stops working when the
 * user is disabled. Only its hash is stored. Lookup is by hash, so no comparison can leak the token through timing.
 */
@Component
public final class ApiTokens {

    /** Settings of a new token; {@code expiresAt} is null if it does not expire. */
    public record Draft(String name, Role role, Instant expiresAt) {}

    /** Newly created token. {@code token} is available only here. */
    public record Issued(long id, String token, Instant createdAt) {

        @Override
        public String toString() {
            return "Issued[id=" + id + "]";
        }
    }

    /** Prefix of every token, by which people and secret scanners recognize it. */
    public static final String PREFIX = "orth_";

    private static final Duration TOUCH_EVERY = Duration.ofMinutes(1);
    private static final int LONGEST_NAME = 64;
    private static final int MOST_PER_USER = 100;

    private final ApiTokenRepository tokens;
    private final Clock clock;

    ApiTokens(ApiTokenRepository tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    /** Returns the caller who owns {@code token}; empty if the token is unknown, revoked or expired, or its user is disabled. */
    public Optional<Principal> find(String token) {
        if (!token.startsWith(PREFIX) || !Secrets.looksLikeToken(token.substring(PREFIX.length()))) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        Optional<ApiTokenRepository.Found> found = tokens.find(Secrets.sha256(token), now);
        found.filter(known -> isStale(known.lastUsedAt(), now)).ifPresent(known -> tokens.touch(known.id(), now));
        return found.map(ApiTokenRepository.Found::principal);
    }

    private static boolean isStale(Instant lastUsedAt, Instant now) {
        return lastUsedAt == null || !lastUsedAt.plus(TOUCH_EVERY).isAfter(now);
    }

    /** Lists tokens by id, above {@code after}. Administrators see all tokens, other callers their own. */
    public List<ApiToken> list(Principal caller, long after, int limit) {
        return tokens.list(caller.userId(), seesAll(caller), after, limit);
    }

    public Issued create(Principal caller, Draft draft) {
        if (caller.kind() == Principal.Kind.API_TOKEN && caller.role() != Role.ADMIN) {
            throw OrthException.of(ErrorCode.NOT_ALLOWED, "a token below ADMIN makes no tokens: log in to make one");
        }
        check(draft);
        if (!caller.role().isAtLeast(draft.role())) {
            throw OrthException.of(
                    ErrorCode.NOT_ALLOWED, "a token may not have more rights than its maker, who is " + caller.role());
        }
        if (tokens.countOf(caller.userId(), clock.instant()) >= MOST_PER_USER) {
            throw OrthException.of(
                    ErrorCode.CONFLICT, "a user may have %d tokens: revoke one first".formatted(MOST_PER_USER));
        }
        return issue(caller.userId(), draft);
    }

    Issued issue(long owner, Draft draft) {
        String token = PREFIX + Secrets.token();
        Instant now = clock.instant();
        return new Issued(tokens.insert(draft, Secrets.sha256(token), owner, now), token, now);
    }

    /** Revokes a token. A token that the caller may not see is reported as not found. */
    public void revoke(Principal caller, long id) {
        if (!tokens.revoke(id, caller.userId(), seesAll(caller), clock.instant())) {
            throw OrthException.notFound("token", id);
        }
    }

    private void check(Draft draft) {
        String name = draft.name();
        if (name == null || name.isBlank()) {
            throw OrthException.invalid("name", "is missing");
        }
        PlainText.limit("name", name, LONGEST_NAME);
        if (draft.role() == null) {
            throw OrthException.invalid("role", "is missing");
        }
        if (draft.expiresAt() != null && !draft.expiresAt().isAfter(clock.instant())) {
            throw OrthException.invalid("expiresAt", "must be in the future");
        }
    }

    private static boolean seesAll(Principal caller) {
        return caller.role() == Role.ADMIN;
    }
}
