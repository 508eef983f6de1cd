package io.orth.admin.completion;

import io.orth.admin.AdminFixture;
import io.orth.admin.deadletter.DeadLetterOwner;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TurnSignal;
import io.orth.admin.triggering.routing.Broadcasts;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The follow-ups of finished runs over an {@link AdminFixture}; records the runs to be sent after each commit. */
public final class CompletionFixture {

    public static final Duration GRACE = Duration.ofSeconds(30);

    public final StateChanges changes;
    public final DeadLetterOwner dead;
    final List<Run> children = new CopyOnWriteArrayList<>();
    final List<Run> retries = new CopyOnWriteArrayList<>();

    public CompletionFixture(AdminFixture admin, Clock clock) {
        this(admin, clock, new TurnSignal());
    }

    public CompletionFixture(AdminFixture admin, Clock clock, TurnSignal turns) {
        changes = new StateChanges(admin.journal);
        Runs runs = new Runs(admin.jdbc, changes, admin.runIds, admin.transactions);
        DeadRuns deadRuns = new DeadRuns(admin.jdbc, runs, admin.transactions, retries::addAll);
        dead = deadRuns;
        changes.followedBy(List.of(
                new Retries(admin.jdbc, runs, deadRuns, GRACE, retries::addAll),
                new Children(
                        admin.jdbc,
                        runs,
                        new Broadcasts(admin.executors),
                        admin.ledger,
                        clock,
                        AdminFixture.CLAIM,
                        children::addAll),
                new SkippedRuns(admin.jdbc, admin.ledger),
                turns));
    }
}
