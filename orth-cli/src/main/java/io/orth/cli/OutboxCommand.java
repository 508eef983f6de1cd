package io.orth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Commands for the outbox. */
@Command(name = "outbox", description = "Parked outbox entries: tasks that could not be sent.")
final class OutboxCommand {

    private OutboxCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new OutboxCommand())
                .addSubcommand(new ListParked(session))
                .addSubcommand(new Redrive(session));
    }
}
