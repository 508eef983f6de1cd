package io.orth.admin.history;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long the past is kept.
 *
 * @param keepRuns runs that are over, in whole days
 * @param keepReports how many runs ended how
 */
@ConfigurationProperties("orth.history")
public record HistoryProperties(
        @DefaultValue("30d") Duration keepRuns,
        @DefaultValue("400d") Duration keepReports) {

    /** Partitions of so many days are still planned quickly. */
    private static final long MOST_DAYS = 1_000;

    public HistoryProperties {
        SettingRules.between("orth.history.keep-runs, in days,", (int) keepRuns.toDays(), 1, (int) MOST_DAYS);
        SettingRules.between("orth.history.keep-reports, in days,", (int) keepReports.toDays(), 1, 10_000);
    }
}
