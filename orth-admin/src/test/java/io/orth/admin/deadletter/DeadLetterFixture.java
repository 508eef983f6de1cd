package io.orth.admin.deadletter;

import io.orth.admin.AdminFixture;
import io.orth.admin.completion.CompletionFixture;
import io.orth.admin.kernel.Ticker;
import io.orth.runtime.Duty.Pass;
import java.time.Clock;
import java.util.List;

/** Dead letters and operations over a test's database. */
public final class DeadLetterFixture {

    public final DeadLetterGroups groups;
    public final DeadLetterList list;
    public final Operations operations;
    public final DeadLetterKeeper keeper;
    private final AdminFixture admin;
    private final DeadLetterOwner deadRuns;

    public DeadLetterFixture(AdminFixture admin) {
        this(admin, new CompletionFixture(admin, Clock.systemUTC()));
    }

    public DeadLetterFixture(AdminFixture admin, CompletionFixture completion) {
        this.admin = admin;
        this.deadRuns = completion.dead;
        this.groups = new DeadLetterGroups(admin.jdbc);
        this.list = new DeadLetterList(admin.jdbc, admin.transactions, groups);
        this.operations = new Operations(
                new OperationRepository(admin.jdbc, admin.changes),
                list,
                admin.queues.waiting,
                admin.transactions,
                admin.systemLog);
        this.keeper = new DeadLetterKeeper(list, List.of(admin.queues.deadMessages, deadRuns), admin.transactions);
    }

    OperationDuty duty() {
        return duty(admin.queues.deadMessages);
    }

    OperationDuty duty(DeadLetterOwner messages) {
        return duty(messages, admin.queues.waiting);
    }

    OperationDuty duty(DeadLetterOwner messages, WaitingMessages waiting) {
        return duty(messages, waiting, 1_000_000);
    }

    OperationDuty duty(int retriesPerSecond) {
        return duty(admin.queues.deadMessages, admin.queues.waiting, retriesPerSecond);
    }

    private OperationDuty duty(DeadLetterOwner messages, WaitingMessages waiting, int retriesPerSecond) {
        return new OperationDuty(
                new OperationRepository(admin.jdbc, admin.changes),
                list,
                List.of(messages, deadRuns),
                waiting,
                admin.transactions,
                Ticker.system(),
                admin.systemLog,
                new DeadLetterProperties(retriesPerSecond));
    }

    /** Runs bulk operations until no work is due. */
    public void drain() {
        drain(duty());
    }

    /** Runs all work that is due. */
    static void drain(OperationDuty duty) {
        while (duty.run() == Pass.MORE) {
            // Again.
        }
    }

    public int fold() {
        return admin.transactions.call(() -> groups.fold(100_000));
    }
}
