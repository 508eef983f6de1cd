package io.orth.cli;

import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Has what is parked tried again. */
@Command(name = "redrive", description = "Have tasks tried again that were given up to be sent: some, or all.")
final class Redrive implements Runnable {

    private final Session session;

    @ArgGroup(multiplicity = "1")
    Which which;

    /** One of these. */
    static final class Which {

        @Option(names = "--all", required = true, description = "all that is parked")
        boolean all;

        @Parameters(paramLabel = "ID", arity = "1..*", description = "some, as outbox list shows them")
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
