package io.orth.admin.security;

import static io.orth.admin.kernel.SqlRows.timestamp;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/** SQL of {@code orth_user}. */
@Component
final class UserRepository {

    private static final String ANY = "select exists (select from orth_user)";

    /** Lets one node at a time decide whether there is a user yet. Does not block readers. */
    private static final String LOCK_TABLE = "lock table orth_user in share row exclusive mode";

    private static final String COLUMNS = "id, name, role, enabled, created_at, last_login_at";

    private static final String INSERT = """
            insert into orth_user (name, password_hash, role, created_at)
            values (:name, :hash, :role, :at)
            on conflict (lower(name)) do nothing
            returning
            """ + COLUMNS;

    private static final String LIST =
            "select " + COLUMNS + " from orth_user where id > :after order by id limit :limit";

    private static final String FIND_CREDENTIALS = "select " + COLUMNS + ", password_hash from orth_user where ";

    private static final String LOCK = "select " + COLUMNS + " from orth_user where id = :id for update";

    private static final String LOCK_ACTIVE_ADMINS = """
            select id
              from orth_user
             where role = 'ADMIN' and enabled
             order by id
               for update
            """;

    private static final String UPDATE = """
            update orth_user
               set role = :role, enabled = :enabled, password_hash = coalesce(:hash, password_hash)
             where id = :id
            """;

    private static final String REPLACE_HASH = """
            update orth_user
               set password_hash = :hash
             where id = :id and password_hash = :expected and enabled
            """;

    private static final String LOGGED_IN = "update orth_user set last_login_at = :at where id = :id";

    private static final RowMapper<User> USER = new SimplePropertyRowMapper<>(User.class);

    /** User with the password hash, which never leaves the package. */
    record Credentials(User user, String hash) {}

    private final JdbcClient jdbc;

    UserRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    boolean any() {
        return jdbc.sql(ANY).query(Boolean.class).single();
    }

    void lockTable() {
        jdbc.sql(LOCK_TABLE).update();
    }

    /** Inserts a user. Returns empty if the name is taken. */
    Optional<User> insert(String name, String hash, Role role, Instant at) {
        return jdbc.sql(INSERT)
                .param("name", name)
                .param("hash", hash)
                .param("role", role.name())
                .param("at", timestamp(at))
                .query(USER)
                .optional();
    }

    List<User> list(long after, int limit) {
        return jdbc.sql(LIST)
                .param("after", after)
                .param("limit", limit)
                .query(USER)
                .list();
    }

    Optional<Credentials> findCredentials(String name) {
        return credentials(
                jdbc.sql(FIND_CREDENTIALS + "lower(name) = lower(:name)").param("name", name));
    }

    Optional<Credentials> findCredentials(long id) {
        return credentials(jdbc.sql(FIND_CREDENTIALS + "id = :id").param("id", id));
    }

    private static Optional<Credentials> credentials(StatementSpec statement) {
        return statement
                .query((row, n) -> new Credentials(USER.mapRow(row, n), row.getString("password_hash")))
                .optional();
    }

    Optional<User> lock(long id) {
        return jdbc.sql(LOCK).param("id", id).query(USER).optional();
    }

    List<Long> lockActiveAdmins() {
        return jdbc.sql(LOCK_ACTIVE_ADMINS).query(Long.class).list();
    }

    /** {@code hash} is null if the password does not change. */
    void update(User user, String hash) {
        jdbc.sql(UPDATE)
                .param("id", user.id())
                .param("role", user.role().name())
                .param("enabled", user.enabled())
                .param("hash", hash)
                .update();
    }

    /** Returns false if the password was changed or the user was disabled in the meantime. */
    boolean replaceHash(long id, String expected, String hash) {
        return jdbc.sql(REPLACE_HASH)
                        .param("id", id)
                        .param("expected", expected)
                        .param("hash", hash)
                        .update()
                == 1;
    }

    void loggedIn(long id, Instant at) {
        jdbc.sql(LOGGED_IN).param("id", id).param("at", timestamp(at)).update();
    }
}
