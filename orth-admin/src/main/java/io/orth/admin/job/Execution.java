package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.orth.admin.kernel.OrthException;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.GlueType;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How an executor runs a job.
 *
 * @param block what becomes of a run while the job is busy
 * @param scope where the job counts as busy for {@code block}; without effect for CONCURRENT
 * @param concurrency how many may run at once on one executor; 1 unless {@code block} is CONCURRENT
 * @param timeoutSeconds how long a run may take; 0 for as long as it wants
 * @param glue {@link GlueType#BEAN} where the job names a handler, else what kind of source it has
 */
public record Execution(
        @JsonProperty("blockStrategy") BlockStrategy block,
        @JsonProperty("blockScope") BlockScope scope,
        int concurrency,
        int timeoutSeconds,
        @JsonIgnore GlueType glue) {

    /** To be selected for {@link #read}. */
    static final String NAMES = "block_strategy, block_scope, concurrency, timeout_seconds, glue_type";

    private static final int MOST_AT_ONCE = 10_000;
    private static final int LONGEST_TIMEOUT = 30 * 24 * 60 * 60;

    public Execution {
        if (concurrency < 1 || concurrency > MOST_AT_ONCE) {
            throw OrthException.invalid("concurrency", "must be between 1 and %d".formatted(MOST_AT_ONCE));
        }
        if (concurrency > 1 && block != BlockStrategy.CONCURRENT) {
            throw OrthException.invalid("concurrency", "is only for the block strategy CONCURRENT");
        }
        if (timeoutSeconds < 0 || timeoutSeconds > LONGEST_TIMEOUT) {
            throw OrthException.invalid(
                    "timeoutSeconds", "must be between 0 (none) and %d (30 days)".formatted(LONGEST_TIMEOUT));
        }
    }

    /** A job that counts as busy on each executor by itself. */
    public Execution(BlockStrategy block, int concurrency, int timeoutSeconds, GlueType glue) {
        this(block, BlockScope.EXECUTOR, concurrency, timeoutSeconds, glue);
    }

    /** Whether fires of the job take turns over all executors. */
    public boolean takesTurns() {
        return scope == BlockScope.CLUSTER && block != BlockStrategy.CONCURRENT;
    }

    /** What an executor is told: a run that has its turn only waits there for the end of what has lost it. */
    public BlockStrategy blockOnExecutor() {
        return takesTurns() ? BlockStrategy.SERIAL : block;
    }

    /** Whether source text runs, rather than a handler that the executor has. */
    @JsonIgnore
    public boolean isSource() {
        return glue != GlueType.BEAN;
    }

    /** Reads the columns {@link #NAMES}. */
    public static Execution read(ResultSet row) throws SQLException {
        return new Execution(
                BlockStrategy.valueOf(row.getString("block_strategy")),
                BlockScope.valueOf(row.getString("block_scope")),
                row.getInt("concurrency"),
                row.getInt("timeout_seconds"),
                GlueType.valueOf(row.getString("glue_type")));
    }
}
