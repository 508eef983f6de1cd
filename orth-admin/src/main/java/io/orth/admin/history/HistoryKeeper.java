package io.orth.admin.history;

import io.orth.admin.kernel.Duty.Pass;
import io.orth.admin.kernel.LeasedDuty;
import io.orth.admin.kernel.Transactions;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a partition ready for today and the days to come, and drops those whose time is over, one a transaction. */
final class HistoryKeeper implements LeasedDuty.FencedPass {

    private static final Logger log = LoggerFactory.getLogger(HistoryKeeper.class);

    private static final int DAYS_AHEAD = 2;
    private static final int BATCH = 1_000;

    private final RunDays days;
    private final RunReports reports;
    private final LongPredicate isOurs;
    private final Transactions transactions;
    private final Clock clock;
    private final HistoryProperties properties;

    /** @param isOurs whether a term of the duty's lease still holds, asked in each transaction */
    HistoryKeeper(
            RunDays days,
            RunReports reports,
            LongPredicate isOurs,
            Transactions transactions,
            Clock clock,
            HistoryProperties properties) {
        this.days = days;
        this.reports = reports;
        this.isOurs = isOurs;
        this.transactions = transactions;
        this.clock = clock;
        this.properties = properties;
    }

    @Override
    public Pass run(long term) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), clock.getZone());
        for (int i = 0; i <= DAYS_AHEAD; i++) {
            LocalDate day = today.plusDays(i);
            ifOurs(term, () -> days.add(day));
        }
        LocalDate firstKept = dayBefore(properties.keepRuns());
        days.list().stream().filter(day -> day.isBefore(firstKept)).forEach(day -> drop(term, day));
        int pruned = transactions.call(() -> isOurs.test(term)
                ? days.pruneRest(firstKept, BATCH)
                        + reports.prune(clock.instant().minus(properties.keepReports()), BATCH)
                : 0);
        return Pass.after(pruned, BATCH);
    }

    private LocalDate dayBefore(Duration duration) {
        return LocalDate.ofInstant(clock.instant().minus(duration), clock.getZone());
    }

    private void drop(long term, LocalDate day) {
        ifOurs(term, () -> {
            days.drop(day);
            log.atInfo().addKeyValue("day", day).log("drops the runs of a day");
        });
    }

    private void ifOurs(long term, Runnable change) {
        transactions.run(() -> {
            if (isOurs.test(term)) {
                change.run();
            }
        });
    }
}
