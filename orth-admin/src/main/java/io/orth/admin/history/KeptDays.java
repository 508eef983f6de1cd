package io.orth.admin.history;

import io.orth.admin.kernel.DayPartitions;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A table with a partition per day and its retention. Callers own the transaction.
 *
 * @param what content of the table, for log lines
 * @param rest deletes rows outside the day partitions that are older than a given day; returns the number of rows
 */
record KeptDays(String what, DayPartitions days, Duration keep, Rest rest) {

    private static final String PRUNE_RUNS = """
            delete from orth_run_history_rest
             where id = any(array(select id
                                    from orth_run_history_rest
                                   where id < :id
                                     and finished_at < :before
                                   order by id
                                   limit :limit))
            """;

    private static final String PRUNE_MESSAGES = """
            delete from orth_message_history_rest
             where ctid = any(array(select ctid
                                      from orth_message_history_rest
                                     where id < :id
                                       and finished_at < :before
                                     limit :limit))
            """;

    private static final String PRUNE_BY_TIME = """
            delete from %1$s
             where ctid = any(array(select ctid
                                      from %1$s
                                     where at < :before
                                     limit :limit))
            """;

    private static final String MARK_WRITERS = """
            update orth_writer
               set seen_at = now()
             where node_id in (select node_id from orth_node where expires_at > now())
            """;

    private static final String PRUNE_WRITERS = """
            delete from orth_writer
             where seen_at < now() - make_interval(secs => :age)
            """;

    private static final String PRUNE_DELETED_JOBS = """
            delete from orth_deleted_job
             where deleted_at < now() - make_interval(secs => :age)
            """;

    /** Prunes at most {@code limit} rows. */
    @FunctionalInterface
    interface Rest {
        int prune(LocalDate before, int limit);
    }

    /** Returns the table of finished runs. Its pruning includes the run counts. */
    static KeptDays ofRuns(JdbcClient jdbc, RunReports reports, Clock clock, HistoryProperties properties) {
        return new KeptDays(
                "runs",
                new DayPartitions(jdbc, "orth_run_history", "orth_add_run_day"),
                properties.keepRuns(),
                (day, limit) -> prune(jdbc, PRUNE_RUNS, day, limit)
                        + reports.prune(clock.instant().minus(properties.keepReports()), limit));
    }

    /**
     * Returns the table of state transitions. Its pruning includes writers, except those of living nodes, and deleted jobs that transitions
     * name.
     */
    static KeptDays ofTransitions(JdbcClient jdbc, HistoryProperties properties) {
        long age = properties.keepTransitions().plusDays(1).toSeconds();
        return new KeptDays(
                "transitions",
                new DayPartitions(jdbc, "orth_transition", "orth_add_transition_day"),
                properties.keepTransitions(),
                (day, limit) -> {
                    jdbc.sql(MARK_WRITERS).update();
                    jdbc.sql(PRUNE_WRITERS).param("age", age).update();
                    jdbc.sql(PRUNE_DELETED_JOBS).param("age", age).update();
                    return prune(jdbc, PRUNE_BY_TIME.formatted("orth_transition_rest"), day, limit);
                });
    }

    /** Returns the table of bulk state transitions. */
    static KeptDays ofTransitionPacks(JdbcClient jdbc, HistoryProperties properties) {
        return new KeptDays(
                "packed transitions",
                new DayPartitions(jdbc, "orth_transition_pack", "orth_add_transition_pack_day"),
                properties.keepTransitions(),
                (day, limit) -> prune(jdbc, PRUNE_BY_TIME.formatted("orth_transition_pack_rest"), day, limit));
    }

    /** Returns the table of finished messages. */
    static KeptDays ofMessages(JdbcClient jdbc, HistoryProperties properties) {
        return new KeptDays(
                "messages",
                new DayPartitions(jdbc, "orth_message_history", "orth_add_message_day"),
                properties.keepMessages(),
                (day, limit) -> prune(jdbc, PRUNE_MESSAGES, day, limit));
    }

    private static int prune(JdbcClient jdbc, String sql, LocalDate day, int limit) {
        Instant before = day.atStartOfDay(ZoneOffset.UTC).toInstant();
        return jdbc.sql(sql)
                .param("id", RunIdGenerator.lowestIdAt(before))
                .param("before", SqlRows.timestamp(before))
                .param("limit", limit)
                .update();
    }
}
