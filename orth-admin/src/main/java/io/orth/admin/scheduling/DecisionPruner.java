package io.orth.admin.scheduling;

import io.orth.admin.job.DecisionLedger;
import io.orth.admin.kernel.Transactions;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;

/** Forgets why fires long ago did not become runs, a bounded number at a time. */
final class DecisionPruner implements Duty {

    private static final int BATCH = 1_000;

    private final DecisionLedger ledger;
    private final Transactions transactions;
    private final Clock clock;
    private final Duration keep;

    DecisionPruner(DecisionLedger ledger, Transactions transactions, Clock clock, Duration keep) {
        this.ledger = ledger;
        this.transactions = transactions;
        this.clock = clock;
        this.keep = keep;
    }

    @Override
    public Pass run() {
        return Pass.after(transactions.call(() -> ledger.prune(clock.instant().minus(keep), BATCH)), BATCH);
    }
}
