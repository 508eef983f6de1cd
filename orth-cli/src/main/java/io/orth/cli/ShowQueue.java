package io.orth.cli;

import io.orth.client.QueueInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one queue. */
@Command(name = "show", description = "Show the state of a queue: message counts, workers, and the oldest due message.")
final class ShowQueue implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "NAME", description = "the queue's name")
    String queue;

    ShowQueue(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(orth -> orth.queues().get(queue), this::print);
    }

    private void print(QueueInfo found) {
        Table.of("QUEUE", "GROUP", "PAUSED", "WAITING", "RUNNING", "DEAD", "WORKERS", "OLDEST DUE")
                .row(
                        found.name(),
                        found.groupName(),
                        found.paused() ? "yes" : "no",
                        found.waiting(),
                        found.running(),
                        found.dead(),
                        found.workers(),
                        found.oldestSeconds() + " s")
                .print(session.out(), "");
    }
}
