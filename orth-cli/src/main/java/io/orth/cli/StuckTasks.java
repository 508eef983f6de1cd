package io.orth.cli;

import io.orth.client.PipelineTaskInfo;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists unfinished tasks; those unchanged for the longest time come first. */
@Command(name = "stuck", description = "List unfinished tasks of all runs, least recently updated first.")
final class StuckTasks implements Runnable {

    private final Session session;

    @Option(names = "--limit", paramLabel = "N", description = "maximum number of entries, 1 to 500 (default 50)")
    int limit = 50;

    StuckTasks(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(orth -> orth.pipelines().oldestOpenTasks(limit), this::print);
    }

    private void print(List<PipelineTaskInfo> tasks) {
        Table table = Table.of(
                "TASK", "ROOT", "STAGE", "TARGET", "STATUS", "ATTEMPTS", "UPDATED", "LOCKED", "EXECUTOR", "QUEUE");
        tasks.forEach(task -> table.row(
                task.id(),
                task.rootJobId(),
                task.stage(),
                ListTasks.target(task),
                task.status(),
                "%d of %d".formatted(task.attempts(), task.maxAttempts()),
                task.updatedAt(),
                task.lockedAt(),
                task.executorId(),
                task.queue()));
        table.print(session.out(), "There are no open tasks.");
    }
}
