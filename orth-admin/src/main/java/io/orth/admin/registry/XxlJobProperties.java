package io.orth.admin.registry;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for XXL-JOB executors.
 *
 * @param silentAfter time without a registration after which an executor is declared dead; executors register every 30 seconds
 * @param sendsAtOnce maximum number of concurrent triggers per executor
 * @param logEvery how often a followed log is polled
 * @param lostEvery how often runs without a result are checked
 * @param lostAfter how long a result may be awaited before the run is checked; the run is lost if its executor is dead, offline or idle
 * @param idleGap delay between the two idle responses that confirm that an executor is idle
 * @param longestRun how long a result is awaited at all
 * @param killGrace how long the result of a killed run is awaited from an executor that no longer runs the job
 */
@ConfigurationProperties("orth.xxl-job")
public record XxlJobProperties(
        @DefaultValue("90s") Duration silentAfter,
        @DefaultValue("8") int sendsAtOnce,
        @DefaultValue("3s") Duration logEvery,
        @DefaultValue("60s") Duration lostEvery,
        @DefaultValue("10m") Duration lostAfter,
        @DefaultValue("60s") Duration idleGap,
        @DefaultValue("7d") Duration longestRun,
        @DefaultValue("40s") Duration killGrace) {

    public XxlJobProperties {
        SettingRules.positive("orth.xxl-job.silent-after", silentAfter);
        SettingRules.between("orth.xxl-job.sends-at-once", sendsAtOnce, 1, 100);
        SettingRules.positive("orth.xxl-job.log-every", logEvery);
        SettingRules.positive("orth.xxl-job.lost-every", lostEvery);
        SettingRules.positive("orth.xxl-job.lost-after", lostAfter);
        SettingRules.positive("orth.xxl-job.idle-gap", idleGap);
        SettingRules.positive("orth.xxl-job.longest-run", longestRun);
        SettingRules.notNegative("orth.xxl-job.kill-grace", killGrace);
        if (longestRun.compareTo(lostAfter) < 0) {
            throw new IllegalArgumentException(
                    "orth.xxl-job.longest-run (%s) must not be shorter than orth.xxl-job.lost-after (%s)"
                            .formatted(longestRun, lostAfter));
        }
    }
}
