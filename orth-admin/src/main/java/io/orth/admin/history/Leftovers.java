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

    static final String RUNS = """
            delete from orth_run_history_rest
             where id = any(array(select id
                                    from orth_run_history_rest
                                   where id < :id
                                     and finished_at < :before
                                   order by id
                                   limit :limit))
            """;

    static final String MESSAGES = """
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

    static final String TRANSITIONS = PRUNE_BY_TIME.formatted("orth_transition_rest");

    static final String TRANSITION_PACKS = PRUNE_BY_TIME.formatted("orth_transition_pack_rest");

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

    /** Deletes at most {@code limit} of those {@code rows} that finished before {@code day}; returns how many. */
    int prune(String rows, LocalDate day, int limit) {
        Instant before = day.atStartOfDay(ZoneOffset.UTC).toInstant();
        return jdbc.sql(rows)
                .param("id", RunIdGenerator.lowestIdAt(before))
                .param("before", SqlRows.timestamp(before))
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
