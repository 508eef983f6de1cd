package io.orth.cli;

import io.orth.client.Page;
import io.orth.client.PipelineTaskInfo;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the tasks of a pipeline run. */
@Command(name = "tasks", description = "List the tasks of a run, with errors.")
final class ListTasks implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "ROOT", description = "the run's id")
    long root;

    @Option(names = "--stage", paramLabel = "STAGE", description = "only tasks of this stage")
    String stage;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "only tasks with this status: PENDING, CLAIMED, RUNNING, COMPLETED, FAILED or CANCELLED")
    String status;

    @Option(names = "--meta", paramLabel = "KEY=VALUE", description = "only entries with this meta; repeatable")
    Map<String, String> meta = Map.of();

    @Mixin
    Paging paging;

    ListTasks(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(
                orth -> orth.pipelines().tasks(root, stage, ListRuns.upper(status), meta, paging.limit, paging.after),
                this::print);
    }

    private void print(Page<PipelineTaskInfo> tasks) {
        Table table = Table.of("TASK", "STAGE", "TARGET", "STATUS", "ATTEMPTS", "UPDATED", "ERROR");
        tasks.items()
                .forEach(task -> table.row(
                        task.id(),
                        task.stage(),
                        target(task),
                        task.status(),
                        "%d of %d".formatted(task.attempts(), task.maxAttempts()),
                        task.updatedAt(),
                        error(task)));
        table.print(session.out(), "There are no such tasks.");
        Paging.printNext(tasks, session.out());
    }

    static String target(PipelineTaskInfo task) {
        return "%s/%s".formatted(task.targetType(), task.targetId());
    }

    private static String error(PipelineTaskInfo task) {
        return task.error() == null
                ? null
                : "%s: %s".formatted(task.error().code(), task.error().message());
    }
}
