package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.orth.admin.kernel.OrthException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Routing settings of a job: only executors with these addresses, in order of preference; if empty, the whole group. */
public record Routing(@JsonProperty("routing") RouteStrategy strategy, List<String> addresses) {

    /** Round robin over the executors of the group. */
    public static final Routing DEFAULT = new Routing(RouteStrategy.ROUND, List.of());

    public static final int MOST_ADDRESSES = 100;

    /** Columns to select for {@link #read}. */
    static final String NAMES = "route_strategy, addresses";

    private static final String SEPARATOR = " ";

    public Routing {
        addresses = List.copyOf(addresses);
        if (addresses.size() > MOST_ADDRESSES) {
            throw OrthException.invalid("addresses", "must be at most %d".formatted(MOST_ADDRESSES));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < addresses.size(); i++) {
            if (!seen.add(addresses.get(i))) {
                throw OrthException.invalid("addresses[%d]".formatted(i), "is listed already: " + addresses.get(i));
            }
        }
    }

    /** Reads the columns {@link #NAMES}. */
    public static Routing read(ResultSet row) throws SQLException {
        return new Routing(RouteStrategy.valueOf(row.getString("route_strategy")), split(row.getString("addresses")));
    }

    /** Returns the addresses as stored in the column. A normalized address contains no space. */
    public static String joined(List<String> addresses) {
        return String.join(SEPARATOR, addresses);
    }

    /** Inverse of {@link #joined}. */
    public static List<String> split(String joined) {
        return joined.isEmpty() ? List.of() : List.of(joined.split(SEPARATOR));
    }
}
