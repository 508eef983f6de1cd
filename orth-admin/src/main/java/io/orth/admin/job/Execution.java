package io.orth.admin.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.orth.admin.kernel.OrthException;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.GlueType;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Execution settings of a job.
 *
 * @param block how a run is handled while the job is busy
 * @param scope where the job counts as busy for {@code block}; no effect for CONCURRENT
 * @param concurrency maximum number of concurrent runs on one executor; 1 unless {@code block} is CONCURRENT
 * @param timeoutSeconds maximum duration of a run; 0 for no limit
 * @param glue {@link GlueType#BEAN} if the job names a handler, otherwise the type of its source
 */
public record Execution(
        @JsonProperty("blockStrategy") BlockStrategy block,
        @JsonProperty("blockScope") BlockScope scope,
        int concurrency,
        int timeoutSeconds,
        @JsonIgnore GlueType glue) {

    /** Columns to select for {@link #read}. */
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

    /** Creates settings with the scope {@link BlockScope#EXECUTOR}. */
    public Execution(BlockStrategy block, int concurrency, int timeoutSeconds, GlueType glue) {
        this(block, BlockScope.EXECUTOR, concurrency, timeoutSeconds, glue);
    }

    /** Returns whether fires of the job are serialized over all executors. */
    public boolean takesTurns() {
        return scope == BlockScope.CLUSTER && block != BlockStrategy.CONCURRENT;
    }

    /**
     * Returns the block strategy sent to executors. If the admins serialize the fires, a run whose turn it is only has to wait on the
     * executor for the end of the run that lost its turn.
     */
    public BlockStrategy blockOnExecutor() {
        return takesTurns() ? BlockStrategy.SERIAL : block;
    }

    /** Returns whether the job runs source text instead of a handler of the executor. */
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
