package io.orth.admin.kernel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The PostgreSQL settings that Orth's statements rely on: limits, planner settings and the schema. They are sent at connection start or,
 * through a pooler, with each transaction. A plain {@code set} would leak into other clients of the pooled session.
 */
public final class SessionSettings {

    /**
     * Fails with SQLSTATE 25006 on a server in recovery and costs nothing on a primary. Decisions must not be based on reads from a
     * replica, which lags behind.
     */
    public static final String ONLY_ON_PRIMARY = "case when pg_is_in_recovery() then pg_current_xact_id() end";

    private final Map<String, String> values;

    private SessionSettings(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Returns the default settings. Timeouts keep statements, locks and idle transactions from blocking others for long. Generic plans
     * and disabled sequential and bitmap scans make plans independent of the number of rows in a statement and of the table size at
     * planning time. Otherwise, for many rows or a table that was small when planned, the planner would read the whole table or sort a
     * whole queue, and keep that plan. JIT is off because compiling takes longer than any statement of Orth.
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

    /** Returns a copy with one setting changed. */
    public SessionSettings with(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.put(name, value);
        return new SessionSettings(changed);
    }

    /** Returns the settings by name, in the form in which the server shows them. */
    public Map<String, String> values() {
        return Map.copyOf(values);
    }

    /** Returns the settings as the {@code options} of a connection's startup packet. */
    public String startOptions() {
        return values.entrySet().stream()
                .map(each -> "-c %s=%s".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(" "));
    }

    /** Returns a statement that applies the settings until the end of its transaction. */
    String forTransaction() {
        return values.entrySet().stream()
                .map(each -> "set_config('%s', '%s', true)".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", ", "select ", ", " + ONLY_ON_PRIMARY));
    }
}
