package io.orth.admin.security;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Login sessions. A session is a random token in the browser and its hash in the database. Every admin node therefore knows it, and a
 * stolen row is useless.
 */
@Component
public final class Sessions {

    /** Newly started session. {@code token} is available only here. */
    public record Issued(String token, Principal principal, Duration lifetime) {

        @Override
        public String toString() {
            return "Issued[" + principal + "]";
        }
    }

    private static final Duration TOUCH_EVERY = Duration.ofMinutes(1);
    private static final int PRUNE_AT_ONCE = 1_000;

    private final SessionRepository sessions;
    private final SecurityProperties settings;
    private final Clock clock;

    Sessions(SessionRepository sessions, SecurityProperties settings, Clock clock) {
        this.sessions = sessions;
        this.settings = settings;
        this.clock = clock;
    }

    /** Returns the caller who owns {@code token}; empty if the session is unknown or expired, or its user is disabled. */
    public Optional<Principal> find(String token) {
        if (!Secrets.looksLikeToken(token)) {
            return Optional.empty();
        }
        byte[] hash = Secrets.sha256(token);
        Instant now = clock.instant();
        Optional<SessionRepository.Found> found = sessions.find(hash, now, now.minus(settings.sessionIdle()));
        found.filter(session -> !session.lastSeenAt().plus(TOUCH_EVERY).isAfter(now))
                .ifPresent(session -> sessions.touch(hash, now));
        return found.map(SessionRepository.Found::principal);
    }

    public void end(String token) {
        sessions.delete(Secrets.sha256(token));
    }

    /** Starts a session and deletes some expired ones. Returns empty if the credentials were changed in the meantime. */
    Optional<Issued> begin(UserRepository.Credentials credentials) {
        Instant now = clock.instant();
        sessions.prune(now, now.minus(settings.sessionIdle()), PRUNE_AT_ONCE);
        String token = Secrets.token();
        Duration lifetime = settings.sessionLifetime();
        if (!sessions.insert(Secrets.sha256(token), credentials, now, now.plus(lifetime))) {
            return Optional.empty();
        }
        User user = credentials.user();
        Principal principal = new Principal(user.id(), user.name(), user.role(), Principal.Kind.USER);
        return Optional.of(new Issued(token, principal, lifetime));
    }
}
