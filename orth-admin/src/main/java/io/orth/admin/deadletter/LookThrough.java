package io.orth.admin.deadletter;

import io.orth.admin.kernel.SqlRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The SQL that walks through dead letters in the order of their numbers. Some of a filter leads: an index has those in that order.
 * They are looked through for the rest of the filter, so many at a time and no more, however rare what is searched for. Each set of
 * filters has a statement of its own, because a plan that fits all of them would read everything.
 *
 * <p>What leads is compared together with the number, and ordered by, though it is one value: so no other index can give that order.
 * Of several that lead, only the last is: PostgreSQL reads on through all that the first column of such a comparison has. The others
 * are of a list of one, which does not make them superfluous in the order as being equal would.
 */
final class LookThrough {

    /** The most that are looked through at once. */
    static final int ROWS = 10_000;

    /** Reading all that there is and sorting it seems cheap where what leads is rare on average; this one may be not. */
    static final String AS_IT_COMES = "set local enable_sort = off; set local enable_incremental_sort = off";

    /** For what else is done in the same transaction. */
    static final String AS_BEFORE = "set local enable_sort to default; set local enable_incremental_sort to default";

    private final List<String> lead = new ArrayList<>();
    private final List<String> rest = new ArrayList<>();
    private final Map<String, Object> params = new LinkedHashMap<>();
    private final String direction;

    /** Those with numbers above and below these, the lowest first or the highest. */
    LookThrough(DeadLetterFilter filter, long above, long below, boolean lowestFirst) {
        direction = lowestFirst ? "" : " desc";
        if (filter.traceId() == null) {
            lead("queue_id", filter.queueId());
            lead("job_id", filter.jobId());
            lead("fingerprint", filter.fingerprint());
        } else {
            // Few have the same, whatever else is wanted of them.
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

    /** Whether only so many are looked through. */
    boolean isBounded() {
        return !rest.isEmpty();
    }

    /** Up to {@code limit} of those that fit. */
    String matches(String columns, int limit) {
        return isBounded()
                ? "select %s from (%s limit %d) d where %s order by %s limit %d"
                        .formatted(columns, walk("*"), ROWS, String.join(" and ", rest), order(), limit)
                : walk(columns) + " limit " + limit;
    }

    /** The number of the last that was looked through; none where the end was before it. */
    String edge() {
        return walk("no") + " offset " + (ROWS - 1) + " limit 1";
    }

    /** How many fit of those that are looked through, how many these are, and where they end. */
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
