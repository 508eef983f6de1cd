package io.orth.admin.queue;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * SQL of claims that were taken from executors: messages that were requeued because their executor was lost or did not have them, and
 * cancelled pipeline tasks. The replies to an executor's heartbeats list these claims until it acknowledges that it has ended them.
 */
@Component
public final class Revocations {

    /** How long the revocations of an offline executor are kept. */
    private static final Duration RETENTION = Duration.ofHours(24);

    /** Maximum number per reply. The next reply lists the others, once these are acknowledged. */
    static final int MAX_LISTED = 10_000;

    private static final String ADD = """
            insert into orth_revocation (log_id, executor_id, revoked_at)
            select w.log, w.executor, :at from unnest(:logs, :executors) as w(log, executor)
            on conflict (log_id) do nothing
            """;

    private static final String LIST = """
            select log_id
              from orth_revocation
             where executor_id = :executor
             order by revoked_at, log_id
             limit :limit
            """;

    private static final String ACKNOWLEDGE = """
            delete from orth_revocation
             where log_id = any(:logs)
               and executor_id = :executor
            """;

    private static final String PRUNE = """
            delete from orth_revocation
             where log_id = any(array(select log_id
                                        from orth_revocation
                                       where revoked_at < clock_timestamp() - :millis * interval '1 millisecond'
                                       order by revoked_at
                                       limit :limit))
            """;

    /** A claim, identified by its log id, and the executor that it was taken from. */
    public record Revoked(long logId, long executorId) {}

    private final JdbcClient jdbc;

    public Revocations(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Records revoked claims. Call in the transaction that takes the claims from their executors. */
    public void add(Collection<Revoked> claims, Instant at) {
        if (claims.isEmpty()) {
            return;
        }
        jdbc.sql(ADD)
                .param("at", SqlRows.timestamp(at))
                .param("logs", SqlArrays.bigints(claims, Revoked::logId))
                .param("executors", SqlArrays.bigints(claims, Revoked::executorId))
                .update();
    }

    /** Returns the log ids of revoked claims that the executor has not acknowledged, oldest first. */
    public List<Long> of(long executor) {
        return jdbc.sql(LIST)
                .param("executor", executor)
                .param("limit", MAX_LISTED)
                .query(Long.class)
                .list();
    }

    /** Deletes revocations, because the executor has ended, or never had, the work under these claims. */
    public void acknowledge(long executor, Collection<Long> logIds) {
        if (!logIds.isEmpty()) {
            jdbc.sql(ACKNOWLEDGE)
                    .param("executor", executor)
                    .param("logs", SqlArrays.bigints(logIds, id -> id))
                    .update();
        }
    }

    int prune(int limit) {
        return jdbc.sql(PRUNE)
                .param("millis", RETENTION.toMillis())
                .param("limit", limit)
                .update();
    }
}
