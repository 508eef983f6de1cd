package io.orth.admin.history;

import io.orth.admin.kernel.LeasedDuty;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty.Pass;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates partitions for today and the coming days and drops expired ones, each in its own transaction. */
final class HistoryKeeper implements LeasedDuty.FencedPass {

    private static final Logger log = LoggerFactory.getLogger(HistoryKeeper.class);

    private static final int DAYS_AHEAD = 2;
    private static final int BATCH = 1_000;

    private final List<KeptDays> tables;
    private final LongPredicate isOurs;
    private final Transactions transactions;
    private final Clock clock;
    private final SystemLog systemLog;

    /** @param isOurs whether the given term of the duty's lease still holds; tested in each transaction */
    HistoryKeeper(
            List<KeptDays> tables, LongPredicate isOurs, Transactions transactions, Clock clock, SystemLog systemLog) {
        this.tables = List.copyOf(tables);
        this.isOurs = isOurs;
        this.transactions = transactions;
        this.clock = clock;
        this.systemLog = systemLog;
    }

    @Override
    public Pass run(long term) {
        int most = 0;
        for (KeptDays table : tables) {
            most = Math.max(most, keep(term, table));
        }
        return Pass.after(most, BATCH);
    }

    private int keep(long term, KeptDays table) {
        LocalDate today = dayBefore(Duration.ZERO);
        for (int i = 0; i <= DAYS_AHEAD; i++) {
            LocalDate day = today.plusDays(i);
            ifOurs(term, () -> table.days().add(day));
        }
        LocalDate firstKept = dayBefore(table.keep());
        table.days().list().stream().filter(day -> day.isBefore(firstKept)).forEach(day -> drop(term, table, day));
        return transactions.call(() -> isOurs.test(term) ? table.rest().prune(firstKept, BATCH) : 0);
    }

    private LocalDate dayBefore(Duration duration) {
        return LocalDate.ofInstant(clock.instant().minus(duration), clock.getZone());
    }

    private void drop(long term, KeptDays table, LocalDate day) {
        boolean dropped = ifOurs(term, () -> table.days().drop(day));
        if (dropped) {
            log.atInfo()
                    .addKeyValue("what", table.what())
                    .addKeyValue("day", day)
                    .log("drops what is kept of a day");
            systemLog.info("%s of %s were kept long enough and are dropped".formatted(table.what(), day));
        }
    }

    /** Runs the change if the term still holds. Returns whether it did. */
    private boolean ifOurs(long term, Runnable change) {
        return transactions.call(() -> {
            boolean ours = isOurs.test(term);
            if (ours) {
                change.run();
            }
            return ours;
        });
    }
}
