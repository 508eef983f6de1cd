package io.orth.admin.security;

import static io.orth.admin.kernel.SqlRows.instant;
import static io.orth.admin.kernel.SqlRows.timestamp;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** SQL of {@code orth_api_token}. */
@Component
final class ApiTokenRepository {

    private static final String INSERT = """
            insert into orth_api_token (name, token_hash, role, created_by, created_at, expires_at)
            values (:name, :tokenHash, :role, :owner, :at, :expiresAt)
            returning id
            """;

    private static final String COUNT_OF = """
            select count(*)
              from orth_api_token
             where created_by = :owner
               and revoked_at is null
               and (expires_at is null or expires_at > :at)
            """;

    private static final String FIND = """
            select t.id, t.name, t.role, t.last_used_at, u.id as owner_id, u.name as owner, u.role as owner_role
              from orth_api_token t
              join orth_user u on u.id = t.created_by
             where t.token_hash = :tokenHash
               and t.revoked_at is null
               and (t.expires_at is null or t.expires_at > :at)
               and u.enabled
            """;

    private static final String TOUCH = """
            update orth_api_token
               set last_used_at = :at
             where id = :id
               and (last_used_at is null or last_used_at < :at)
            """;

    private static final String LIST = """
            select t.id, t.name, t.role, u.name as created_by, t.created_at, t.expires_at, t.last_used_at
              from orth_api_token t
              join orth_user u on u.id = t.created_by
             where t.revoked_at is null
               and t.id > :after
               and (:everyone or t.created_by = :owner)
             order by t.id
             limit :limit
            """;

    private static final String REVOKE = """
            update orth_api_token
               set revoked_at = :at
             where id = :id
               and revoked_at is null
               and (:everyone or created_by = :owner)
            """;

    record Found(long id, Principal principal, Instant lastUsedAt) {}

    private final JdbcClient jdbc;

    ApiTokenRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    long insert(ApiTokens.Draft draft, byte[] tokenHash, long owner, Instant at) {
        return jdbc.sql(INSERT)
                .param("name", draft.name())
                .param("tokenHash", tokenHash)
                .param("role", draft.role().name())
                .param("owner", owner)
                .param("at", timestamp(at))
                .param("expiresAt", timestamp(draft.expiresAt()))
                .query(Long.class)
                .single();
    }

    int countOf(long owner, Instant at) {
        return jdbc.sql(COUNT_OF)
                .param("owner", owner)
                .param("at", timestamp(at))
                .query(Integer.class)
                .single();
    }

    Optional<Found> find(byte[] tokenHash, Instant at) {
        return jdbc.sql(FIND)
                .param("tokenHash", tokenHash)
                .param("at", timestamp(at))
                .query((row, n) -> new Found(row.getLong("id"), principal(row), instant(row, "last_used_at")))
                .optional();
    }

    void touch(long id, Instant at) {
        jdbc.sql(TOUCH).param("id", id).param("at", timestamp(at)).update();
    }

    List<ApiToken> list(long owner, boolean everyone, long after, int limit) {
        return jdbc.sql(LIST)
                .param("owner", owner)
                .param("everyone", everyone)
                .param("after", after)
                .param("limit", limit)
                .query(ApiToken.class)
                .list();
    }

    boolean revoke(long id, long owner, boolean everyone, Instant at) {
        return jdbc.sql(REVOKE)
                        .param("id", id)
                        .param("owner", owner)
                        .param("everyone", everyone)
                        .param("at", timestamp(at))
                        .update()
                == 1;
    }

    private static Principal principal(ResultSet row) throws SQLException {
        Role role = Role.valueOf(row.getString("role")).cappedBy(Role.valueOf(row.getString("owner_role")));
        String name = row.getString("owner") + "/" + row.getString("name");
        return new Principal(row.getLong("owner_id"), name, role, Principal.Kind.API_TOKEN);
    }
}
