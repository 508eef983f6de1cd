package io.orth.admin.run;

import io.orth.admin.kernel.SettingRules;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How results that executors report are recorded.
 *
 * @param concurrency the most transactions that record results at the same time; never more than half of
 *     {@code orth.database.pool-size}
 * @param batchSize the most results recorded in one transaction
 * @param capacity the most results that wait to be recorded; callbacks that exceed it are rejected with 503 and sent again
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

    /** How many of a pool's connections may be used: the other half is left to schedules, queues and the API. A pool has at least four. */
    public int workers(int poolSize) {
        return Math.min(concurrency, poolSize / 2);
    }
}
