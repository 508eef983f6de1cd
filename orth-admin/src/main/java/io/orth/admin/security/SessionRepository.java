package io.orth.admin.security;

import static io.orth.admin.kernel.SqlRows.instant;
import static io.orth.admin.kernel.SqlRows.timestamp;

import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** SQL of {@code orth_session}. */
@Component
final class SessionRepository {

    /**
     * The row lock orders this against a change of the password: the change either comes first and prevents the insert, or comes later and
     * deletes the session.
     */
    private static final String INSERT = """
            insert into orth_session (token_hash, user_id, created_at, last_seen_at, expires_at)
            select :tokenHash, u.id, :at, :at, :expiresAt
              from orth_user u
             where u.id = :userId
               and u.password_hash = :passwordHash
               and u.enabled
               for share
            """;

    private static final String FIND = """
            select u.id, u.name, u.role, s.last_seen_at
              from orth_session s
              join orth_user u on u.id = s.user_id
             where s.token_hash = :tokenHash
               and s.expires_at > :at
               and s.last_seen_at > :idleSince
               and u.enabled
            """;

    private static final String TOUCH = """
            update orth_session
               set last_seen_at = :at
             where token_hash = :tokenHash
               and last_seen_at < :at
            """;

    private static final String DELETE = "delete from orth_session where token_hash = :tokenHash";

    private static final String DELETE_ALL_OF = "delete from orth_session where user_id = :userId";

    private static final String PRUNE = """
            delete from orth_session
             where token_hash in (
                select token_hash
                  from orth_session
                 where expires_at <= :at or last_seen_at <= :idleSince
                 limit :limit
                   for update skip locked
             )
            """;

    record Found(Principal principal, Instant lastSeenAt) {}

    private final JdbcClient jdbc;

    SessionRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns false if the user's password has changed since {@code credentials} were read, or the user is disabled. */
    boolean insert(byte[] tokenHash, UserRepository.Credentials credentials, Instant at, Instant expiresAt) {
        return jdbc.sql(INSERT)
                        .param("tokenHash", tokenHash)
                        .param("userId", credentials.user().id())
                        .param("passwordHash", credentials.hash())
                        .param("at", timestamp(at))
                        .param("expiresAt", timestamp(expiresAt))
                        .update()
                == 1;
    }

    Optional<Found> find(byte[] tokenHash, Instant at, Instant idleSince) {
        return jdbc.sql(FIND)
                .param("tokenHash", tokenHash)
                .param("at", timestamp(at))
                .param("idleSince", timestamp(idleSince))
                .query((row, n) -> new Found(
                        new Principal(
                                row.getLong("id"),
                                row.getString("name"),
                                Role.valueOf(row.getString("role")),
                                Principal.Kind.USER),
                        instant(row, "last_seen_at")))
                .optional();
    }

    void touch(byte[] tokenHash, Instant at) {
        jdbc.sql(TOUCH).param("tokenHash", tokenHash).param("at", timestamp(at)).update();
    }

    void delete(byte[] tokenHash) {
        jdbc.sql(DELETE).param("tokenHash", tokenHash).update();
    }

    void deleteAllOf(long userId) {
        jdbc.sql(DELETE_ALL_OF).param("userId", userId).update();
    }

    int prune(Instant at, Instant idleSince, int limit) {
        return jdbc.sql(PRUNE)
                .param("at", timestamp(at))
                .param("idleSince", timestamp(idleSince))
                .param("limit", limit)
                .update();
    }
}
