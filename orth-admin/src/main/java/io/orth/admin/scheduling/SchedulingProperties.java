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
 * @param backlogBatchSize the most late jobs claimed in one transaction; each comes after those that are on time
 * @param catchUpPerPass the most missed instants of one job that are fired in one pass
 * @param catchUpAtMost the most missed instants that FIRE_ALL fires before it is on time again; the rest is left out
 * @param keepDecisions how long it is kept why fires did not become runs
 * @param backfill bounds of a backfill
 */
@ConfigurationProperties("orth.scheduling")
public record SchedulingProperties(
        @DefaultValue("1000") int batchSize,
        @DefaultValue("1s") Duration lookEvery,
        @DefaultValue("5s") Duration misfireAfter,
        @DefaultValue("100") int backlogBatchSize,
        @DefaultValue("20") int catchUpPerPass,
        @DefaultValue("1000") int catchUpAtMost,
        @DefaultValue("30d") Duration keepDecisions,
        @DefaultValue Backfill backfill) {

    /** A node makes at most 64,000 run ids at once. */
    private static final int MOST_RUNS_PER_PASS = 50_000;

    public SchedulingProperties {
        SettingRules.between("orth.scheduling.batch-size", batchSize, 1, 10_000);
        SettingRules.between("orth.scheduling.backlog-batch-size", backlogBatchSize, 1, 10_000);
        SettingRules.between("orth.scheduling.catch-up-per-pass", catchUpPerPass, 1, 1_000);
        SettingRules.between("orth.scheduling.catch-up-at-most", catchUpAtMost, 1, 1_000_000);
        SettingRules.positive("orth.scheduling.look-every", lookEvery);
        SettingRules.notNegative("orth.scheduling.misfire-after", misfireAfter);
        SettingRules.positive("orth.scheduling.keep-decisions", keepDecisions);
        checkRunsPerPass("orth.scheduling.batch-size", batchSize, catchUpPerPass);
        checkRunsPerPass("orth.scheduling.backlog-batch-size", backlogBatchSize, catchUpPerPass);
    }

    private static void checkRunsPerPass(String key, int jobs, int catchUpPerPass) {
        if (jobs * catchUpPerPass > MOST_RUNS_PER_PASS) {
            throw new IllegalArgumentException("%s times orth.scheduling.catch-up-per-pass must be at most %d, got %d"
                    .formatted(key, MOST_RUNS_PER_PASS, jobs * catchUpPerPass));
        }
    }

    /**
     * Bounds of a backfill.
     *
     * @param mostRuns the most fire times in the range of one backfill
     * @param longest the longest range of one backfill
     */
    public record Backfill(
            @DefaultValue("100") int mostRuns,
            @DefaultValue("7d") Duration longest) {

        public Backfill {
            SettingRules.between("orth.scheduling.backfill.most-runs", mostRuns, 1, 10_000);
            SettingRules.positive("orth.scheduling.backfill.longest", longest);
        }
    }
}
