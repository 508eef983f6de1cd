package io.orth.admin.run;

import io.orth.admin.kernel.SettingRules;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for recording results reported by executors.
 *
 * @param concurrency maximum number of concurrent transactions that record results; never more than half of
 *     {@code orth.database.pool-size}
 * @param batchSize maximum number of results per transaction
 * @param capacity maximum number of results waiting to be recorded; callbacks beyond it are rejected with 503 and sent again
 */
@ConfigurationProperties("orth.callback")
public record CallbackProperties(
        @DefaultValue("20") int concurrency,
        @DefaultValue("1000") int batchSize,
        @DefaultValue("20000") int capacity) {

    public CallbackProperties {
        SettingRules.between("orth.callback.concurrency", concurrency, CallbackQueue.MIN_WORKERS, 20);
        SettingRules.between("orth.callback.batch-size", batchSize, 1, 1_000);
        SettingRules.between("orth.callback.capacity", capacity, 1, 1_000_000);
    }

    /** Returns how many connections of a pool may be used. The other half, at least two, is left to schedules, queues and the API. */
    public int workers(int poolSize) {
        return Math.min(concurrency, poolSize / 2);
    }
}
