package io.orth.admin.systemlog;

import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The SQL of one search. One of the filters leads: its index gives the lines in their order, newest first. They are looked
 * through for the rest of the filter, so many at a time and no more, however rare what is searched for. Each set of filters has a
 * statement of its own, because a plan that fits all of them would read everything.
 *
 * <p>What leads is written as a range, and ordered by, though it is one value: so no other index can give that order. Where it
 * were an equality, the planner would rather go back in time and look for the value, which may be far.
 */
final class SearchSql {

    /** The most that are looked through in one search. */
    static final int LOOKED_THROUGH = 20_000;

    /** Reading all that there is and sorting it seems cheap where what leads is rare on average; this one may be not. */
    static final String AS_IT_COMES = "set local enable_bitmapscan = off; set local enable_sort = off";

    private static final String COLUMNS = "id, at, node_id, number, level, message, worker_id, queue";

    private final List<String> inner = new ArrayList<>();
    private final List<String> rest = new ArrayList<>();
    private final Map<String, Object> params = new LinkedHashMap<>();
    private final int rows;
    /** Null where time alone leads. */
    private String lead;

    /** @param afterAt when the line was published at whose place the search goes on; null where it begins */
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

    /** The first one leads. */
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

    /** @param name of the parameter that is the instant, and what comes behind it */
    private void bound(String columns, String operator, String name, Instant instant) {
        String leading = lead == null ? "" : lead + ", ";
        String value = lead == null ? "" : ":" + lead + ", ";
        inner.add("(%s%s) %s (%s:%s)".formatted(leading, columns, operator, value, name));
        params.put(name.replaceAll(",.*", ""), SqlRows.timestamp(instant));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    /** Whether only so many lines are looked through. */
    boolean isBounded() {
        return !rest.isEmpty();
    }

    /** One more than is asked for, where there is. */
    String lines() {
        if (!isBounded()) {
            return lookedThrough(COLUMNS) + " limit " + rows;
        }
        return "select %s from (%s limit %d) looked where %s %s limit %d"
                .formatted(COLUMNS, lookedThrough(COLUMNS), LOOKED_THROUGH, String.join(" and ", rest), order(), rows);
    }

    /** The place of the last line that was looked through; none where the end was before it. */
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
