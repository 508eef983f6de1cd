package io.orth.admin.scheduling;

import io.orth.admin.AdminFixture;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.TriggersFixture;
import java.time.Clock;
import java.time.Duration;

/** Builds the scanner. */
final class SchedulingFixture {

    private SchedulingFixture() {}

    static SchedulingProperties properties(
            int batchSize, Duration misfireAfter, int catchUpPerPass, int catchUpAtMost) {
        return new SchedulingProperties(
                batchSize,
                Duration.ofSeconds(1),
                misfireAfter,
                2,
                catchUpPerPass,
                catchUpAtMost,
                Duration.ofDays(30),
                new SchedulingProperties.Backfill(100, Duration.ofDays(7)));
    }

    static ScheduleScanner scanner(
            AdminFixture admin, Runs runs, TriggersFixture triggers, Clock clock, SchedulingProperties properties) {
        DuePass pass = new DuePass(admin.dueJobs, triggers.triggers(runs), admin.ledger, properties, admin.systemLog);
        return new ScheduleScanner(admin.dueJobs, pass, triggers.triggers(), admin.transactions, clock, properties);
    }
}
