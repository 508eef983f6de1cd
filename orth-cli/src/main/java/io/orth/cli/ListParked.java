package io.orth.cli;

import io.orth.client.OutboxInfo;
import io.orth.client.Page;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists parked outbox entries. */
@Command(name = "list", description = "List parked outbox entries, oldest first.")
final class ListParked implements Runnable {

    private final Session session;

    @Mixin
    Paging paging;

    ListParked(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(orth -> orth.pipelines().parked(paging.limit, paging.after), this::print);
    }

    private void print(Page<OutboxInfo> parked) {
        Table table = Table.of("ID", "DESTINATION", "ROOT", "TASK", "TRIED", "PARKED", "ERROR");
        parked.items()
                .forEach(entry -> table.row(
                        entry.id(),
                        entry.destination(),
                        entry.rootJobId(),
                        entry.jobId(),
                        entry.attempts(),
                        entry.parkedAt(),
                        entry.lastError()));
        table.print(session.out(), "Nothing is parked.");
        Paging.printNext(parked, session.out());
    }
}
