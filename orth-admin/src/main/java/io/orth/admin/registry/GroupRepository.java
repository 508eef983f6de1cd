package io.orth.admin.registry;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of executor groups. */
final class GroupRepository {

    private static final String COLUMNS = """
            select g.id, g.name, g.title, g.created_at,
                   (select count(*) from orth_executor e where e.group_id = g.id and not orth_is_gone(e.status)) as online
              from orth_executor_group g
            """;

    private static final String LIST = COLUMNS + """
             where (:name::text is null or g.name = :name)
               and g.id > :after
             order by g.id
             limit :limit
            """;

    private static final String FIND = COLUMNS + " where g.id = :id";

    private static final String INSERT = """
            insert into orth_executor_group (name, title, token, token_hash)
            values (:name, :title, :token, :hash)
            on conflict (name) do nothing
            returning id
            """;

    private static final String RENAME =
            "update orth_executor_group set title = :title, updated_at = now() where id = :id";

    private static final String SET_TOKEN =
            "update orth_executor_group set token = :token, token_hash = :hash, updated_at = now() where id = :id";

    private static final String DELETE_EXECUTORS =
            "delete from orth_executor where group_id = :id and orth_is_gone(status)";

    private static final String HAS_UNFINISHED_RUNS =
            "select exists (select from orth_run where group_id = :id and status in ('INIT', 'PENDING'))";

    private static final String DELETE = "delete from orth_executor_group where id = :id";

    private static final RowMapper<ExecutorGroup> TO_GROUP = (row, n) -> new ExecutorGroup(
            row.getInt("id"),
            row.getString("name"),
            row.getString("title"),
            row.getInt("online"),
            SqlRows.instant(row, "created_at"));

    /** A group as the wire knows it. */
    record Credentials(int id, String name, String token) {}

    private static final RowMapper<Credentials> TO_CREDENTIALS =
            (row, n) -> new Credentials(row.getInt("id"), row.getString("name"), row.getString("token"));

    private final JdbcClient jdbc;

    GroupRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<ExecutorGroup> list(String name, int after, int limit) {
        return jdbc.sql(LIST)
                .param("name", name)
                .param("after", after)
                .param("limit", limit)
                .query(TO_GROUP)
                .list();
    }

    Map<Integer, String> names(Collection<Integer> ids) {
        Map<Integer, String> names = new HashMap<>();
        jdbc.sql("select id, name from orth_executor_group where id = any(:ids)")
                .param("ids", SqlArrays.integers(ids, id -> id))
                .query(row -> {
                    names.put(row.getInt("id"), row.getString("name"));
                });
        return names;
    }

    Optional<ExecutorGroup> find(int id) {
        return jdbc.sql(FIND).param("id", id).query(TO_GROUP).optional();
    }

    /** Empty when the name is taken. */
    Optional<Integer> insert(String name, String title, GroupToken token) {
        return jdbc.sql(INSERT)
                .param("name", name)
                .param("title", title)
                .param("token", token.text())
                .param("hash", token.hash())
                .query(Integer.class)
                .optional();
    }

    boolean rename(int id, String title) {
        return jdbc.sql(RENAME).param("id", id).param("title", title).update() == 1;
    }

    boolean setToken(int id, GroupToken token) {
        return jdbc.sql(SET_TOKEN)
                        .param("id", id)
                        .param("token", token.text())
                        .param("hash", token.hash())
                        .update()
                == 1;
    }

    boolean hasUnfinishedRuns(int id) {
        return jdbc.sql(HAS_UNFINISHED_RUNS)
                .param("id", id)
                .query(Boolean.class)
                .single();
    }

    boolean delete(int id) {
        jdbc.sql(DELETE_EXECUTORS).param("id", id).update();
        return jdbc.sql(DELETE).param("id", id).update() == 1;
    }

    Optional<Credentials> credentials(int id) {
        return jdbc.sql("select id, name, token from orth_executor_group where id = :id")
                .param("id", id)
                .query(TO_CREDENTIALS)
                .optional();
    }

    /** Looked up by hash, so the time taken says nothing about the token. */
    Optional<Credentials> findByToken(GroupToken token) {
        return jdbc.sql("select id, name, token from orth_executor_group where token_hash = :hash")
                .param("hash", token.hash())
                .query(TO_CREDENTIALS)
                .optional();
    }
}
