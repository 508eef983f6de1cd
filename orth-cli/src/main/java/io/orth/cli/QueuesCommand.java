package io.orth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Commands for queues. */
@Command(name = "queues", description = "Queues of messages.")
final class QueuesCommand {

    private QueuesCommand() {}

    static CommandLine of(Session session) {
        return new CommandLine(new QueuesCommand())
                .addSubcommand(new ShowQueue(session))
                .addSubcommand(new PushMessage(session));
    }
}
