package io.orth.admin.scheduling;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How due jobs are found and what counts as missed.
 *
 * @param batchSize the most jobs claimed in one transaction
 * @param lookEvery the longest a node sleeps between two looks; it wakes earlier for the next due instant
 * @param misfireAfter lateness from which the job's misfire policy applies
 * @param catchUpPerPass the most missed instants of one job that are fired in one pass
 */
@ConfigurationProperties("orth.scheduling")
public record SchedulingProperties(
        @DefaultValue("1000") int batchSize,
        @DefaultValue("1s") Duration lookEvery,
        @DefaultValue("5s") Duration misfireAfter,
        @DefaultValue("20") int catchUpPerPass) {

    /** A node makes at most 64,000 run ids at once. */
    private static final int MOST_RUNS_PER_PASS = 50_000;

    public SchedulingProperties {
        SettingRules.between("orth.scheduling.batch-size", batchSize, 1, 10_000);
        SettingRules.between("orth.scheduling.catch-up-per-pass", catchUpPerPass, 1, 1_000);
        SettingRules.positive("orth.scheduling.look-every", lookEvery);
        SettingRules.notNegative("orth.scheduling.misfire-after", misfireAfter);
        if (batchSize * catchUpPerPass > MOST_RUNS_PER_PASS) {
            throw new IllegalArgumentException(
                    "orth.scheduling.batch-size times orth.scheduling.catch-up-per-pass must be at most %d, got %d"
                            .formatted(MOST_RUNS_PER_PASS, batchSize * catchUpPerPass));
        }
    }
}
