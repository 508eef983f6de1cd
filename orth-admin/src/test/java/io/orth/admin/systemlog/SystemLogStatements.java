package io.orth.admin.systemlog;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Every statement of the archive, for tests of their plans. */
public final class SystemLogStatements {

    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    private SystemLogStatements() {}

    /** Searches, by the index that must serve them. */
    public static Map<String, List<LogFilter>> searches() {
        Map<String, List<LogFilter>> searches = new LinkedHashMap<>();
        searches.put(
                "orth_system_log_at",
                List.of(
                        filter(null, null, null, null, null, null),
                        filter(null, null, null, "rare", null, null),
                        filter(null, null, null, null, NOON.minusSeconds(60), NOON),
                        filter(null, null, null, "rare", NOON.minusSeconds(60), NOON)));
        searches.put(
                "orth_system_log_level",
                List.of(
                        filter(LogLevel.ERROR, null, null, null, null, null),
                        filter(LogLevel.INFO, null, null, "rare", null, NOON)));
        searches.put(
                "orth_system_log_queue",
                List.of(
                        filter(null, null, "q7", null, null, null),
                        filter(LogLevel.ERROR, null, "q7", "rare", null, null)));
        searches.put(
                "orth_system_log_worker",
                List.of(
                        filter(null, "w7", null, null, null, null),
                        filter(LogLevel.ERROR, "w7", "q7", "rare", NOON.minusSeconds(60), NOON)));
        return searches;
    }

    private static LogFilter filter(
            LogLevel level, String worker, String queue, String message, Instant from, Instant to) {
        return new LogFilter(level, worker, queue, message, from, to, null, 50);
    }

    /** Searches from the start and from the cursor {@code after}. */
    public static void search(DataSource database, LogFilter filter, long after) {
        SystemLogArchive archive = FlakyDatabase.archiveOn(database);
        archive.search(filter);
        archive.search(new LogFilter(
                filter.level(),
                filter.workerId(),
                filter.queue(),
                filter.message(),
                filter.from(),
                filter.to(),
                after,
                filter.limit()));
    }

    /** All other statements. */
    public static void keep(DataSource database, long place) {
        SystemLogArchive archive = FlakyDatabase.archiveOn(database);
        archive.append(List.of(new LogLine("new", 1, NOON, LogLevel.INFO, "new", null, null)));
        archive.archivedAfter(place, 1_000);
        archive.cleanup(NOON.minusSeconds(1_000_000), 1_000);
    }

    /** Number of pages touched by a search without a match, including its second statement. */
    public static long pagesOfFruitlessSearch(JdbcClient jdbc) {
        SearchSql sql = new SearchSql(filter(null, null, null, "this is nowhere", null, null), null);
        return pages(jdbc, sql.lines(), sql) + pages(jdbc, sql.edge(), sql);
    }

    /** Number of database pages that one page of lines touches. */
    public static long pagesOf(JdbcClient jdbc, LogFilter filter) {
        SearchSql sql = new SearchSql(filter, null);
        return pages(jdbc, sql.lines(), sql);
    }

    private static long pages(JdbcClient jdbc, String statement, SearchSql sql) {
        Map<String, Object> params = new LinkedHashMap<>(sql.params());
        params.keySet().removeIf(name -> !statement.contains(":" + name));
        String plan = jdbc.sql("explain (analyze, buffers, format json) " + statement)
                .params(params)
                .query(String.class)
                .single();
        return total(plan, "Shared Hit Blocks") + total(plan, "Shared Read Blocks");
    }

    /** The total of the topmost plan node, which comes first and includes the nodes below it. */
    private static long total(String plan, String field) {
        int at = plan.indexOf("\"" + field + "\":") + field.length() + 3;
        return Long.parseLong(plan.substring(at, plan.indexOf(',', at)).strip());
    }
}
