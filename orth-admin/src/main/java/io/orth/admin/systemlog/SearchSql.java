package io.orth.admin.systemlog;

import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * SQL of one search. One filter is the leading one: its index returns lines newest first, and a bounded number of them is checked against
 * the other filters, however rare matches are. Each combination of filters has its own statement, because a shared plan would read
 * everything.
 *
 * <p>The leading column is compared as a range and included in the sort order, although it has a single value. So no other index provides
 * that order. With an equality the planner would prefer to walk back in time until it finds the value, which may be far.
 */
final class SearchSql {

    /** Lines checked in one search. */
    static final int LOOKED_THROUGH = 20_000;

    /**
     * Disables plans that sort all matches. They look cheap if values of the leading column are rare on average, but the searched value may
     * be frequent.
     */
    static final String AS_IT_COMES = "set local enable_bitmapscan = off; set local enable_sort = off";

    private static final String COLUMNS = "id, at, node_id, number, level, message, worker_id, queue";

    private final List<String> inner = new ArrayList<>();
    private final List<String> rest = new ArrayList<>();
    private final Map<String, Object> params = new LinkedHashMap<>();
    private final int rows;
    /** The leading column; null if time leads. */
    private String lead;

    /** @param afterAt time of the line after which the search continues; null for the first page */
    SearchSql(LogFilter filter, Instant afterAt) {
        rows = filter.limit() + 1;
        equal("worker_id", filter.workerId());
        equal("queue", filter.queue());
        equal("level", filter.level() == null ? null : filter.level().name());
        if (filter.message() != null) {
            rest.add("message ilike :message");
            params.put("message", "%" + escaped(filter.message()) + "%");
        }
        if (filter.from() != null) {
            bound("at", ">=", "from", filter.from());
        }
        if (filter.to() != null) {
            bound("at", "<", "to", filter.to());
        }
        if (afterAt != null) {
            bound("at, id", "<", "afterAt, :after", afterAt);
            params.put("after", filter.after());
        }
    }

    /** Adds an equality filter. The first such column becomes the leading one. */
    private void equal(String column, String value) {
        if (value == null) {
            return;
        }
        params.put(column, value);
        if (lead == null) {
            lead = column;
            inner.add("%1$s >= :%1$s and %1$s <= :%1$s".formatted(column));
        } else {
            rest.add("%1$s = :%1$s".formatted(column));
        }
    }

    /** @param name the parameter of the instant, and the text that follows it */
    private void bound(String columns, String operator, String name, Instant instant) {
        String leading = lead == null ? "" : lead + ", ";
        String value = lead == null ? "" : ":" + lead + ", ";
        inner.add("(%s%s) %s (%s:%s)".formatted(leading, columns, operator, value, name));
        params.put(name.replaceAll(",.*", ""), SqlRows.timestamp(instant));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    /** Returns whether only a bounded number of lines is checked. */
    boolean isBounded() {
        return !rest.isEmpty();
    }

    /** Returns the query for lines. It selects one line more than the limit to detect a further page. */
    String lines() {
        if (!isBounded()) {
            return lookedThrough(COLUMNS) + " limit " + rows;
        }
        return "select %s from (%s limit %d) looked where %s %s limit %d"
                .formatted(COLUMNS, lookedThrough(COLUMNS), LOOKED_THROUGH, String.join(" and ", rest), order(), rows);
    }

    /** Returns the query for the place of the last line checked. It yields no row if the end was reached. */
    String edge() {
        return lookedThrough("id") + " offset " + (LOOKED_THROUGH - 1) + " limit 1";
    }

    private String lookedThrough(String columns) {
        String where = inner.isEmpty() ? "" : " where " + String.join(" and ", inner);
        return "select %s from orth_system_log%s %s".formatted(columns, where, order());
    }

    private String order() {
        return "order by %sat desc, id desc".formatted(lead == null ? "" : lead + " desc, ");
    }

    Map<String, Object> params() {
        return Map.copyOf(params);
    }
}
