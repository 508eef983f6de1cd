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
 * Constraints on the executor of a run.
 *
 * @param addresses the only executors allowed, in order of preference; empty for all of the group
 * @param turn number of the fire among the fires of its job; null unless a schedule fired the run
 */
public record Route(
        @JsonProperty("routing") RouteStrategy strategy,
        @JsonIgnore List<String> addresses,
        @JsonIgnore Long turn,
        @JsonUnwrapped Shard shard) {

    /** Any executor of the group. */
    public static final Route DEFAULT = of(Routing.DEFAULT, null);

    /** Columns to select for {@link #read}. */
    static final String NAMES = "route_strategy, addresses, turn, shard_index, shard_total, shard_address";

    /**
     * The part of a broadcast that a run executes.
     *
     * @param address executor the shard was created for; null if any may execute it
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
