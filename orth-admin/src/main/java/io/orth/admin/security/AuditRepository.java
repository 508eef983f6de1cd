package io.orth.admin.security;

import static io.orth.admin.kernel.SqlRows.instant;
import static io.orth.admin.kernel.SqlRows.intOrNull;
import static io.orth.admin.kernel.SqlRows.timestamp;

import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** SQL of {@code orth_audit}. */
@Component
final class AuditRepository {

    /**
     * A transaction of its own that does not wait for the disk. Whatever the call then commits comes after it in the log of the
     * database, so that it cannot last without this row.
     */
    private static final String INSERT = """
            insert into orth_audit (at, actor, actor_kind, action, object, address, trace_id)
            values (:at, :actor, :actorKind, :action, :object, :address, :traceId)
            returning id, set_config('synchronous_commit', 'off', true)
            """;

    private static final String INSERT_DEED = """
            insert into orth_audit (at, actor, actor_kind, action, object, outcome, address, trace_id, detail)
            values (:at, :actor, 'EXECUTOR', :action, :object, 200, :address, :traceId, :detail)
            """;

    /** Nobody waits for the disk either: an outcome that a crash of the database takes away is unknown, which the row then says. */
    private static final String FINISH = """
            update orth_audit
               set outcome = :outcome,
                   actor = coalesce(:actor, actor),
                   actor_kind = coalesce(:actorKind, actor_kind),
                   object = coalesce(:object, object),
                   detail = :detail
             where id = :id
               and outcome is null
            returning set_config('synchronous_commit', 'off', true)
            """;

    private static final String LIST = """
            select id, at, actor, action, object, outcome, address, detail
              from orth_audit
             where id < :before
               and (cast(:actor as text) is null or lower(actor) = lower(:actor))
               and (cast(:like as text) is null
                    or action ilike :like or object ilike :like or detail ilike :like or actor ilike :like)
             order by id desc
             limit :limit
            """;

    private static final int LONGEST_SECONDS = 10;

    private final JdbcClient jdbc;

    AuditRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    long insert(AuditLog.Attempt attempt, Instant at) {
        return jdbc.sql(INSERT)
                .param("at", timestamp(at))
                .param("actor", attempt.actor())
                .param("actorKind", attempt.actorKind())
                .param("action", attempt.action())
                .param("object", attempt.object())
                .param("address", attempt.address())
                .param("traceId", attempt.traceId())
                .query((row, n) -> row.getLong("id"))
                .single();
    }

    void insert(AuditLog.Deed deed, Instant at) {
        jdbc.sql(INSERT_DEED)
                .param("at", timestamp(at))
                .param("actor", deed.executor())
                .param("action", deed.action())
                .param("object", deed.object())
                .param("address", deed.address())
                .param("traceId", deed.traceId())
                .param("detail", deed.detail())
                .update();
    }

    void finish(long id, AuditLog.Outcome outcome) {
        jdbc.sql(FINISH)
                .param("id", id)
                .param("outcome", outcome.status())
                .param("actor", outcome.actor())
                .param("actorKind", outcome.actorKind())
                .param("object", outcome.object())
                .param("detail", outcome.detail())
                .query(String.class)
                .optional();
    }

    List<AuditEntry> list(AuditLog.Query query, String like) {
        return jdbc.sql(LIST)
                .withQueryTimeout(LONGEST_SECONDS)
                .param("before", query.before())
                .param("actor", query.actor())
                .param("like", like)
                .param("limit", query.limit())
                .query((row, n) -> new AuditEntry(
                        row.getLong("id"),
                        instant(row, "at"),
                        row.getString("actor"),
                        row.getString("action"),
                        row.getString("object"),
                        intOrNull(row, "outcome"),
                        row.getString("address"),
                        row.getString("detail")))
                .list();
    }
}
