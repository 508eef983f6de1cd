package io.orth.admin.security;

import static io.orth.admin.kernel.SqlRows.timestamp;

import java.time.Clock;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Log of changing calls and their outcomes. A row is written before the call runs, so that nothing happens unrecorded, and is completed
 * once; a completed row is never written again. External text is escaped to one line and truncated.
 */
@Component
public final class AuditLog {

    /**
     * Runs in a transaction of its own that does not wait for the disk. The call's own commits follow in the write-ahead log, so they
     * cannot become durable without this row.
     */
    private static final String BEGIN = """
            insert into orth_audit (at, actor, actor_kind, action, object, address, trace_id)
            values (:at, :actor, :actorKind, :action, :object, :address, :traceId)
            returning id, set_config('synchronous_commit', 'off', true)
            """;

    private static final String RECORD = """
            insert into orth_audit (at, actor, actor_kind, action, object, outcome, address, trace_id, detail)
            values (:at, :actor, 'EXECUTOR', :action, :object, 200, :address, :traceId, :detail)
            """;

    /** Does not wait for the disk either: if a crash of the database loses the outcome, the row shows it as unknown. */
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

    private static final int LONGEST_WORDS = 300;
    private static final int LONGEST_DETAIL = 2_000;
    private static final int LONGEST_SECONDS = 10;

    /** Call that is about to run. {@code caller} is null if the call has no credentials, {@code object} if it is unknown. */
    public record Attempt(Principal caller, String action, String object, String address, String traceId) {}

    /** Outcome of a call. {@code caller}, {@code object} and {@code detail} are null if there is nothing to add. */
    public record Outcome(int status, Principal caller, String object, String detail) {}

    /** Change that an executor has made by declaring it; written as completed. */
    public record Deed(String executor, String action, String object, String address, String traceId, String detail) {}

    /** Filter for entries with an id below {@code before}; {@code actor} and {@code text} are null for any. */
    public record Query(String actor, String text, long before, int limit) {}

    private final JdbcClient jdbc;
    private final Clock clock;

    AuditLog(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** Records a call that is about to run. Returns the id for {@link #finish}. */
    public long begin(Attempt attempt) {
        Principal caller = attempt.caller();
        return jdbc.sql(BEGIN)
                .param("at", timestamp(clock.instant()))
                .param("actor", caller == null ? "anonymous" : caller.name())
                .param("actorKind", caller == null ? "ANONYMOUS" : caller.kind().name())
                .param("action", words(attempt.action()))
                .param("object", words(attempt.object()))
                .param("address", words(attempt.address()))
                .param("traceId", words(attempt.traceId()))
                .query((row, n) -> row.getLong("id"))
                .single();
    }

    public void finish(long id, Outcome outcome) {
        Principal caller = outcome.caller();
        jdbc.sql(FINISH)
                .param("id", id)
                .param("outcome", outcome.status())
                .param("actor", caller == null ? null : caller.name())
                .param("actorKind", caller == null ? null : caller.kind().name())
                .param("object", words(outcome.object()))
                .param("detail", oneLine(outcome.detail(), LONGEST_DETAIL))
                .query(String.class)
                .optional();
    }

    /** Records a change in the caller's transaction, so that both are stored together. */
    public void record(Deed deed) {
        jdbc.sql(RECORD)
                .param("at", timestamp(clock.instant()))
                .param("actor", words(deed.executor()))
                .param("action", words(deed.action()))
                .param("object", words(deed.object()))
                .param("address", words(deed.address()))
                .param("traceId", words(deed.traceId()))
                .param("detail", oneLine(deed.detail(), LONGEST_DETAIL))
                .update();
    }

    /** Lists entries, newest first. */
    public List<AuditEntry> list(Query query) {
        return jdbc.sql(LIST)
                .withQueryTimeout(LONGEST_SECONDS)
                .param("before", query.before())
                .param("actor", query.actor())
                .param("like", query.text() == null ? null : "%" + escaped(query.text()) + "%")
                .param("limit", query.limit())
                .query(AuditEntry.class)
                .list();
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    private static String words(String text) {
        return oneLine(text, LONGEST_WORDS);
    }

    /** Escapes control characters and broken surrogates, and truncates the text to {@code longest} characters. */
    static String oneLine(String text, int longest) {
        if (text == null) {
            return null;
        }
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(longest + 1L).forEach(c -> appendVisible(line, c));
        if (line.codePointCount(0, line.length()) <= longest) {
            return line.toString();
        }
        return line.substring(0, line.offsetByCodePoints(0, longest)) + "…";
    }

    private static void appendVisible(StringBuilder line, int c) {
        if (c == '\n') {
            line.append("\\n");
        } else if (c == '\r') {
            line.append("\\r");
        } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || (c >= 0xD800 && c <= 0xDFFF)) {
            line.append("\\u%04x".formatted(c));
        } else {
            line.appendCodePoint(c);
        }
    }
}
