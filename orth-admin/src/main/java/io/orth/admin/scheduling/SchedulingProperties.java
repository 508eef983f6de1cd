package io.orth.admin.scheduling;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the scanner, of misfires and of backfills.
 *
 * @param batchSize the maximum number of jobs claimed in one transaction
 * @param lookEvery the maximum time that a node sleeps between two passes; it wakes earlier for the next fire time
 * @param misfireAfter the misfire threshold: lateness from which the job's misfire policy applies
 * @param backlogBatchSize the maximum number of late jobs claimed in one transaction; each such transaction follows one for jobs on time
 * @param catchUpPerPass the maximum number of missed fires of one job that are caught up in one pass
 * @param catchUpAtMost the maximum number of missed fires that FIRE_ALL catches up before the job is on time again; further ones are
 *     skipped
 * @param keepDecisions retention of skipped fires
 * @param backfill limits of a backfill
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

    /** A node can generate at most 64,000 run ids in one call. */
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
     * Limits of a backfill.
     *
     * @param mostRuns the maximum number of fire times in the range of one backfill
     * @param longest the maximum length of the range of one backfill
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
