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
 * Keys for programs. A token belongs to the user who made it, never outranks that user and stops working when the user
 * is disabled. Only its hash is stored; it is found by that hash, so a guess meets no comparison that could leak time.
 */
@Component
public final class ApiTokens {

    /** What a new token should be; {@code expiresAt} null for never. */
    public record Draft(String name, Role role, Instant expiresAt) {}

    /** A token that was just made; {@code token} is never to be had again. */
    public record Issued(long id, String token, Instant createdAt) {

        @Override
        public String toString() {
            return "Issued[id=" + id + "]";
        }
    }

    /** What every token begins with, so that people and secret scanners recognise one. */
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

    /** The caller behind {@code token}; empty where it is unknown, revoked or expired, or its user disabled. */
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

    /** Tokens by id above {@code after}: an administrator sees all, others their own. */
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

    /** Someone else's token does not exist for those who may not see it. */
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
