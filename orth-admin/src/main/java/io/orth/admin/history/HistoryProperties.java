package io.orth.admin.history;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Retention of the history.
 *
 * @param keepRuns finished runs, in whole days
 * @param keepReports run counts by result
 * @param keepTransitions state transitions, in whole days
 * @param keepMessages completed and discarded messages, in whole days
 */
@ConfigurationProperties("orth.history")
public record HistoryProperties(
        @DefaultValue("30d") Duration keepRuns,
        @DefaultValue("400d") Duration keepReports,
        @DefaultValue("14d") Duration keepTransitions,
        @DefaultValue("7d") Duration keepMessages) {

    /** Queries over this many partitions are still planned quickly. */
    private static final int MOST_DAYS = 1_000;

    private static final int MOST_DAYS_OF_REPORTS = 10_000;

    public HistoryProperties {
        SettingRules.between("orth.history.keep-runs, in days,", days(keepRuns), 1, MOST_DAYS);
        SettingRules.between("orth.history.keep-reports, in days,", days(keepReports), 1, MOST_DAYS_OF_REPORTS);
        SettingRules.between("orth.history.keep-transitions, in days,", days(keepTransitions), 1, MOST_DAYS);
        SettingRules.between("orth.history.keep-messages, in days,", days(keepMessages), 1, MOST_DAYS);
    }

    private static int days(Duration duration) {
        return (int) Math.min(duration.toDays(), Integer.MAX_VALUE);
    }
}
