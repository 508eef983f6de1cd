package io.orth.admin.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Where a run may go.
 *
 * @param addresses the only executors that may take it, those preferred first; empty for all of the group
 * @param turn its number among the fires of its job; null where it was not fired by a schedule
 */
public record Route(
        @JsonProperty("routing") RouteStrategy strategy,
        @JsonIgnore List<String> addresses,
        @JsonIgnore Long turn,
        @JsonUnwrapped Shard shard) {

    /** To any executor of the group. */
    public static final Route DEFAULT = of(Routing.DEFAULT, null);

    /** To be selected for {@link #read}. */
    static final String NAMES = "route_strategy, addresses, turn, shard_index, shard_total, shard_address";

    /**
     * Which part of a broadcast a run is.
     *
     * @param address the executor it was made for; null where any may take it
     */
    public record Shard(
            @JsonProperty("shardIndex") int index,
            @JsonProperty("shardTotal") int total,
            @JsonIgnore String address) {

        /** All of the work. */
        public static final Shard WHOLE = new Shard(0, 1, null);

        public Shard {
            if (index < 0 || index >= total) {
                throw new IllegalArgumentException("shard %d of %d".formatted(index, total));
            }
        }
    }

    public static Route of(Routing routing, Long turn) {
        return new Route(routing.strategy(), routing.addresses(), turn, Shard.WHOLE);
    }

    public Route withShard(Shard part) {
        return new Route(strategy, addresses, turn, part);
    }

    /** Reads the columns {@link #NAMES}. */
    static Route read(ResultSet row) throws SQLException {
        return new Route(
                RouteStrategy.valueOf(row.getString("route_strategy")),
                Routing.split(row.getString("addresses")),
                SqlRows.longOrNull(row, "turn"),
                new Shard(row.getInt("shard_index"), row.getInt("shard_total"), row.getString("shard_address")));
    }
}
