package io.orth.admin.systemlog;

import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Archive in {@code orth_system_log}. */
@Component
final class PostgresArchive implements SystemLogArchive {

    private static final int APPEND_SECONDS = 10;
    private static final int SEARCH_SECONDS = 10;

    private static final String APPEND = """
            insert into orth_system_log (node_id, number, at, level, message, worker_id, queue)
            select * from unnest(:nodes, :numbers, :times, :levels, :messages, :workers, :queues)
            on conflict (node_id, number) do nothing
            """;

    private static final String AT_OF = "select at from orth_system_log where id = :id";

    private static final String AFTER = """
            select id, at, node_id, number, level, message, worker_id, queue
              from orth_system_log
             where id > :place
             order by id desc
             limit :most
            """;

    private static final String CLEANUP = """
            delete from orth_system_log
             where id = any(array(select id
                                    from orth_system_log
                                   where at < :olderThan
                                   order by at, id
                                   limit :limit))
            """;

    private final JdbcClient jdbc;
    private final Transactions transactions;

    PostgresArchive(JdbcClient jdbc, Transactions transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** Stores lines. A line that the database rejects does not affect the others. */
    @Override
    public int append(List<LogLine> lines) {
        List<LogLine> rejected = new ArrayList<>();
        if (!lines.isEmpty()) {
            Splitter.run(lines, this::insert, (line, why) -> rejected.add(line));
        }
        return rejected.size();
    }

    private void insert(List<LogLine> lines) {
        jdbc.sql(APPEND)
                .withQueryTimeout(APPEND_SECONDS)
                .param("nodes", SqlArrays.texts(lines, LogLine::node))
                .param("numbers", SqlArrays.bigints(lines, LogLine::number))
                .param("times", SqlArrays.instants(lines, LogLine::at))
                .param("levels", SqlArrays.texts(lines, line -> line.level().name()))
                .param("messages", SqlArrays.texts(lines, LogLine::message))
                .param("workers", SqlArrays.texts(lines, LogLine::workerId))
                .param("queues", SqlArrays.texts(lines, LogLine::queue))
                .update();
    }

    /** Searches the archive. If the cursor's line was deleted, the result is empty: all older lines were deleted before it. */
    @Override
    public Found search(LogFilter filter) {
        return transactions.call(() -> {
            jdbc.sql(SearchSql.AS_IT_COMES).update();
            return begin(filter);
        });
    }

    private Found begin(LogFilter filter) {
        if (filter.after() == null) {
            return search(new SearchSql(filter, null), filter);
        }
        return atOf(filter.after())
                .map(at -> search(new SearchSql(filter, at), filter))
                .orElseGet(() -> new Found(List.of(), null));
    }

    private Optional<Instant> atOf(long place) {
        return jdbc.sql(AT_OF)
                .param("id", place)
                .query((row, n) -> SqlRows.instant(row, "at"))
                .optional();
    }

    private Found search(SearchSql sql, LogFilter filter) {
        List<Archived> found = jdbc.sql(sql.lines())
                .withQueryTimeout(SEARCH_SECONDS)
                .params(sql.params())
                .query(PostgresArchive::archived)
                .list();
        if (found.size() > filter.limit()) {
            List<Archived> shown = found.subList(0, filter.limit());
            return new Found(linesOf(shown), shown.get(shown.size() - 1).place());
        }
        return new Found(linesOf(found), sql.isBounded() ? edge(sql) : null);
    }

    /** Returns the cursor of the next search; null if this search reached the end. */
    private Long edge(SearchSql sql) {
        return jdbc.sql(sql.edge())
                .withQueryTimeout(SEARCH_SECONDS)
                .params(sql.params())
                .query(Long.class)
                .optional()
                .orElse(null);
    }

    private static List<LogLine> linesOf(List<Archived> found) {
        return found.stream().map(Archived::line).toList();
    }

    @Override
    public List<Archived> archivedAfter(long place, int most) {
        return jdbc.sql(AFTER)
                .param("place", place)
                .param("most", most)
                .query(PostgresArchive::archived)
                .list();
    }

    @Override
    public int cleanup(Instant olderThan, int limit) {
        return jdbc.sql(CLEANUP)
                .param("olderThan", SqlRows.timestamp(olderThan))
                .param("limit", limit)
                .update();
    }

    private static Archived archived(ResultSet row, int n) throws SQLException {
        LogLine line = new LogLine(
                row.getString("node_id"),
                row.getLong("number"),
                SqlRows.instant(row, "at"),
                LogLevel.valueOf(row.getString("level")),
                row.getString("message"),
                row.getString("worker_id"),
                row.getString("queue"));
        return new Archived(row.getLong("id"), line);
    }
}
