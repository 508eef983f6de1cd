package io.orth.admin.registry;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Executor groups and their tokens, managed by operators. */
@Component
public class Groups {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int LONGEST_TITLE = 200;

    private static final String SELECT = """
            select g.id, g.name, g.title, g.created_at,
                   (select count(*) from orth_executor e where e.group_id = g.id and not orth_is_gone(e.status)) as online
              from orth_executor_group g
            """;

    private static final String LIST = SELECT + """
             where (:name::text is null or g.name = :name)
               and g.id > :after
             order by g.id
             limit :limit
            """;

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

    private static final String HAS_UNFINISHED_RUNS =
            "select exists (select from orth_run where group_id = :id and status in ('INIT', 'PENDING'))";

    private final JdbcClient jdbc;
    private final Transactions transactions;

    public Groups(JdbcClient jdbc, Transactions transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** Lists groups with an id above {@code after}, by id; only the group called {@code name} unless that is null. */
    public List<ExecutorGroup> list(String name, int after, int limit) {
        return jdbc.sql(LIST)
                .params(Map.of("after", after, "limit", limit))
                .param("name", name)
                .query(ExecutorGroup.class)
                .list();
    }

    /** Returns the names of the groups that still exist, by id. */
    public Map<Integer, String> names(Collection<Integer> ids) {
        return SqlRows.byId(
                jdbc.sql("select id, name from orth_executor_group where id = any(:ids)")
                        .param("ids", SqlArrays.integers(ids, id -> id)),
                Integer.class,
                (row, n) -> row.getString("name"));
    }

    public ExecutorGroup get(int id) {
        return jdbc.sql(SELECT + " where g.id = :id")
                .param("id", id)
                .query(ExecutorGroup.class)
                .optional()
                .orElseThrow(() -> notFound(id));
    }

    public ExecutorGroup create(String name, String title) {
        if (name == null || !NAME.matcher(name).matches()) {
            throw OrthException.invalid(
                    "name",
                    "must be 1 to 64 letters, digits, dots, dashes or underscores, starting with a letter or digit");
        }
        GroupToken token = GroupToken.generate();
        int id = jdbc.sql(INSERT)
                .params(Map.of(
                        "name", name, "title", checkedTitle(title, name), "token", token.text(), "hash", token.hash()))
                .query(Integer.class)
                .optional()
                .orElseThrow(() -> OrthException.of(
                        ErrorCode.CONFLICT, "there is an executor group '%s' already".formatted(name)));
        return get(id);
    }

    public ExecutorGroup rename(int id, String title) {
        if (title == null || title.isBlank()) {
            throw OrthException.invalid("title", "must not be blank");
        }
        if (jdbc.sql(RENAME)
                        .params(Map.of("id", id, "title", checkedTitle(title, title)))
                        .update()
                == 0) {
            throw notFound(id);
        }
        return get(id);
    }

    /** Deletes a group. Rejected while the group has jobs, queues, unfinished runs or online executors. */
    public void delete(int id) {
        if (jdbc.sql(HAS_UNFINISHED_RUNS).param("id", id).query(Boolean.class).single()) {
            throw OrthException.of(ErrorCode.CONFLICT, "executor group %d still has unfinished runs".formatted(id));
        }
        try {
            if (!transactions.call(() -> deleteWithExecutors(id))) {
                throw notFound(id);
            }
        } catch (DataIntegrityViolationException e) {
            throw OrthException.of(
                    ErrorCode.CONFLICT, "executor group %d still has jobs, queues or online executors".formatted(id));
        }
    }

    private boolean deleteWithExecutors(int id) {
        jdbc.sql("delete from orth_executor where group_id = :id and orth_is_gone(status)")
                .param("id", id)
                .update();
        return jdbc.sql("delete from orth_executor_group where id = :id")
                        .param("id", id)
                        .update()
                == 1;
    }

    public String token(int id) {
        return jdbc.sql("select token from orth_executor_group where id = :id")
                .param("id", id)
                .query(String.class)
                .optional()
                .orElseThrow(() -> notFound(id));
    }

    /** Replaces the token. The old token stops working immediately. */
    public String rotateToken(int id) {
        GroupToken token = GroupToken.generate();
        if (jdbc.sql(SET_TOKEN)
                        .params(Map.of("id", id, "token", token.text(), "hash", token.hash()))
                        .update()
                == 0) {
            throw notFound(id);
        }
        return token.text();
    }

    /** Returns the group of this token. Lookup is by hash, so the time taken reveals nothing about the token. */
    public Optional<Integer> authenticate(String token) {
        return token == null || token.isBlank()
                ? Optional.empty()
                : jdbc.sql("select id from orth_executor_group where token_hash = :hash")
                        .param("hash", new GroupToken(token).hash())
                        .query(Integer.class)
                        .optional();
    }

    private static OrthException notFound(int id) {
        return OrthException.notFound("executor group", id);
    }

    private static String checkedTitle(String title, String otherwise) {
        if (title == null || title.isBlank()) {
            return otherwise;
        }
        PlainText.limit("title", title, LONGEST_TITLE);
        return title.strip();
    }
}
