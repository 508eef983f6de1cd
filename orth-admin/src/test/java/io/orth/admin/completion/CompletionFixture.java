package io.orth.admin.completion;

import io.orth.admin.AdminFixture;
import io.orth.admin.deadletter.DeadLetterOwner;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.routing.Broadcasts;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What follows runs, put together by hand over an {@link AdminFixture}; remembers what was to be sent after each commit. */
public final class CompletionFixture {

    public static final Duration GRACE = Duration.ofSeconds(30);

    public final StateChanges changes;
    public final DeadLetterOwner dead;
    final List<Run> children = new ArrayList<>();
    final List<Run> retries = new ArrayList<>();

    public CompletionFixture(AdminFixture admin, Clock clock) {
        Runs below = new Runs(admin.jdbc, admin.journal, admin.runIds, admin.transactions);
        DeadRuns deadRuns =
                new DeadRuns(admin.jdbc, below, admin.transactions, again -> note(new FollowUpsMade(List.of(), again)));
        dead = deadRuns;
        changes = new Completion(
                admin.journal,
                new Retries(admin.jdbc, below, deadRuns, GRACE),
                new Children(
                        admin.jdbc, below, new Broadcasts(admin.executors), admin.ledger, clock, AdminFixture.CLAIM),
                new SkippedRuns(admin.jdbc, admin.ledger),
                this::note);
    }

    private synchronized void note(Object event) {
        FollowUpsMade made = (FollowUpsMade) event;
        children.addAll(made.children());
        retries.addAll(made.retries());
    }
}
