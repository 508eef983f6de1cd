package io.orth.cli;

import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Retries parked outbox entries. */
@Command(name = "redrive", description = "Retry delivery of parked outbox entries: selected, or all.")
final class Redrive implements Runnable {

    private final Session session;

    @ArgGroup(multiplicity = "1")
    Which which;

    /** Mutually exclusive options that select the entries. */
    static final class Which {

        @Option(names = "--all", required = true, description = "all parked entries")
        boolean all;

        @Parameters(paramLabel = "ID", arity = "1..*", description = "ids of entries, as printed by outbox list")
        List<Long> ids;
    }

    Redrive(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(
                orth -> which.all
                        ? orth.pipelines().redriveAll()
                        : orth.pipelines().redrive(which.ids),
                redriven -> session.out().println("%d are tried again.".formatted(redriven)));
    }
}
