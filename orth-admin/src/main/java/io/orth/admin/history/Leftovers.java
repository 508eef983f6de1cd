package io.orth.admin.history;

import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is over but in no partition that could be dropped. Callers own the transaction. */
final class Leftovers {

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

    private static final String PRUNE_TRANSITIONS = PRUNE_BY_TIME.formatted("orth_transition_rest");

    private static final String PRUNE_TRANSITION_PACKS = PRUNE_BY_TIME.formatted("orth_transition_pack_rest");

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

    private final JdbcClient jdbc;

    Leftovers(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Of runs that ended when their day had no partition (any more), those over before {@code day}; returns how many. */
    int pruneRuns(LocalDate day, int limit) {
        return pruneEnded(PRUNE_RUNS, day, limit);
    }

    /** The same of messages. */
    int pruneMessages(LocalDate day, int limit) {
        return pruneEnded(PRUNE_MESSAGES, day, limit);
    }

    private int pruneEnded(String statement, LocalDate day, int limit) {
        Instant before = day.atStartOfDay(ZoneOffset.UTC).toInstant();
        return jdbc.sql(statement)
                .param("id", RunIdGenerator.lowestIdAt(before))
                .param("before", SqlRows.timestamp(before))
                .param("limit", limit)
                .update();
    }

    int pruneTransitions(LocalDate day, int limit) {
        return pruneByTime(PRUNE_TRANSITIONS, day, limit);
    }

    int pruneTransitionPacks(LocalDate day, int limit) {
        return pruneByTime(PRUNE_TRANSITION_PACKS, day, limit);
    }

    private int pruneByTime(String statement, LocalDate day, int limit) {
        return jdbc.sql(statement)
                .param(
                        "before",
                        SqlRows.timestamp(day.atStartOfDay(ZoneOffset.UTC).toInstant()))
                .param("limit", limit)
                .update();
    }

    /** What they were is kept for as long as the changes that name them. */
    void pruneDeletedJobs(Duration keep) {
        jdbc.sql(PRUNE_DELETED_JOBS).param("age", keep.plusDays(1).toSeconds()).update();
    }

    /** Writers stay for as long as what they wrote; those of nodes that live are not forgotten. */
    void pruneWriters(Duration keep) {
        jdbc.sql(MARK_WRITERS).update();
        jdbc.sql(PRUNE_WRITERS).param("age", keep.plusDays(1).toSeconds()).update();
    }
}
