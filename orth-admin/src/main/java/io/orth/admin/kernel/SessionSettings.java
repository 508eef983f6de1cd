package io.orth.admin.kernel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The settings of PostgreSQL that Orth's statements rely on: limits, planner settings and the schema of the tables. They are sent when a
 * connection starts or, through a pooler, with each transaction; a {@code set} on a session would stay there for other clients of it.
 */
public final class SessionSettings {

    /**
     * Fails with 25006 on a server in recovery and costs nothing elsewhere: nothing may be read from a replica, which is behind, and then
     * decided.
     */
    public static final String ONLY_ON_PRIMARY = "case when pg_is_in_recovery() then pg_current_xact_id() end";

    private final Map<String, String> values;

    private SessionSettings(Map<String, String> values) {
        this.values = values;
    }

    /**
     * No statement, lock or idle transaction holds up others for long. Plans depend neither on the number of rows a statement is about nor
     * on the size of a table at the time of planning: for many rows, or a table that was small then, the planner would read the whole
     * table, or sort a whole queue, and keep that plan. Compiling a plan takes longer than any statement of Orth.
     */
    public static SessionSettings in(String schema) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("search_path", schema);
        values.put("statement_timeout", "30s");
        values.put("lock_timeout", "10s");
        values.put("idle_in_transaction_session_timeout", "15s");
        values.put("plan_cache_mode", "force_generic_plan");
        values.put("enable_seqscan", "off");
        values.put("enable_bitmapscan", "off");
        values.put("jit", "off");
        return new SessionSettings(values);
    }

    /** The same but for one of them. */
    public SessionSettings with(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.put(name, value);
        return new SessionSettings(changed);
    }

    /** By name, as the server shows them. */
    public Map<String, String> values() {
        return Map.copyOf(values);
    }

    /** As the {@code options} of a connection's start. */
    public String startOptions() {
        return values.entrySet().stream()
                .map(each -> "-c %s=%s".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(" "));
    }

    /** A statement after which they hold to the end of its transaction. */
    String forTransaction() {
        return values.entrySet().stream()
                .map(each -> "set_config('%s', '%s', true)".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", ", "select ", ", " + ONLY_ON_PRIMARY));
    }
}
