package io.orth.admin.deadletter;

import io.orth.admin.kernel.SqlRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * SQL that scans dead letters in the order of their numbers. Some filters lead: an index has their matches in that order. A bounded number
 * of these rows is checked against the other filters, however rare matches are. Each combination of filters has its own statement, because
 * a shared plan would read everything.
 *
 * <p>The last leading column is compared as a row together with the number and included in the sort order, although it has a single value.
 * So no other index provides that order. Only the last one is: for a row comparison PostgreSQL scans all rows with the value of its first
 * column. The other leading columns are compared with a list of one element. Unlike an equality, this does not make them redundant in the
 * sort order.
 */
final class LookThrough {

    /** Maximum number of rows scanned by one statement. */
    static final int ROWS = 10_000;

    /**
     * Disables plans that read all matches and sort them. They look cheap if values of the leading column are rare on average, but the
     * searched value may be frequent.
     */
    static final String AS_IT_COMES = "set local enable_sort = off; set local enable_incremental_sort = off";

    /** Restores the defaults for later statements of the same transaction. */
    static final String AS_BEFORE = "set local enable_sort to default; set local enable_incremental_sort to default";

    private final List<String> lead = new ArrayList<>();
    private final List<String> rest = new ArrayList<>();
    private final Map<String, Object> params = new LinkedHashMap<>();
    private final String direction;

    /** Scans numbers between {@code above} and {@code below}, both exclusive, in ascending or descending order. */
    LookThrough(DeadLetterFilter filter, long above, long below, boolean lowestFirst) {
        direction = lowestFirst ? "" : " desc";
        if (filter.traceId() == null) {
            lead("queue_id", filter.queueId());
            lead("job_id", filter.jobId());
            lead("fingerprint", filter.fingerprint());
        } else {
            // A trace id has few dead letters, so it leads whatever the other filters are.
            lead("trace_id", filter.traceId());
            fit("queue_id", filter.queueId());
            fit("job_id", filter.jobId());
            fit("fingerprint", filter.fingerprint());
        }
        leadOrFit("handler", filter.handler());
        leadOrFit("kind", filter.kind() == null ? null : filter.kind().name());
        if (filter.error() != null) {
            rest("error ilike :error", "error", "%" + escaped(filter.error()) + "%");
        }
        if (filter.from() != null) {
            rest("status_at >= :from", "from", SqlRows.timestamp(filter.from()));
        }
        if (filter.to() != null) {
            rest("status_at < :to", "to", SqlRows.timestamp(filter.to()));
        }
        params.put("above", above);
        params.put("below", below);
    }

    private void lead(String column, Object value) {
        if (value != null) {
            lead.add(column);
            params.put(column, value);
        }
    }

    private void leadOrFit(String column, Object value) {
        if (lead.isEmpty()) {
            lead(column, value);
        } else {
            fit(column, value);
        }
    }

    private void fit(String column, Object value) {
        if (value != null) {
            rest("%1$s = :%1$s".formatted(column), column, value);
        }
    }

    private void rest(String condition, String name, Object value) {
        rest.add(condition);
        params.put(name, value);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    /** Returns whether only a bounded number of rows is scanned. */
    boolean isBounded() {
        return !rest.isEmpty();
    }

    /** Returns the query for up to {@code limit} matches. */
    String matches(String columns, int limit) {
        return isBounded()
                ? "select %s from (%s limit %d) d where %s order by %s limit %d"
                        .formatted(columns, walk("*"), ROWS, String.join(" and ", rest), order(), limit)
                : walk(columns) + " limit " + limit;
    }

    /** Returns the query for the number of the last row scanned. It yields no row if the end was reached. */
    String edge() {
        return walk("no") + " offset " + (ROWS - 1) + " limit 1";
    }

    /** Returns the query for the number of matches, the number of rows scanned and the last number scanned. */
    String counts() {
        return "select count(*) filter (where %s) as fitting, count(*) as looked, max(no) as last from (%s limit %d) d"
                .formatted(isBounded() ? String.join(" and ", rest) : "true", walk("*"), ROWS);
    }

    private String walk(String columns) {
        int last = Math.max(0, lead.size() - 1);
        String before = each(lead.subList(0, last), "%1$s = any(array[:%1$s]) and ");
        String names = each(lead.subList(last, lead.size()), "%s, ");
        String values = each(lead.subList(last, lead.size()), ":%s, ");
        String there = each(lead, " and %s is not null");
        return "select %1$s from orth_dead_letter d where %2$s(%3$sno) > (%4$s:above) and (%3$sno) < (%4$s:below)%5$s order by %6$s"
                .formatted(columns, before, names, values, there, order());
    }

    private static String each(List<String> columns, String pattern) {
        return columns.stream().map(pattern::formatted).collect(Collectors.joining());
    }

    private String order() {
        return each(lead, "%s" + direction + ", ") + "no" + direction;
    }

    Map<String, Object> params() {
        return Map.copyOf(params);
    }
}
