package io.orth.cli;

import io.orth.client.Page;
import io.orth.client.PipelineRunInfo;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists pipeline runs. */
@Command(name = "runs", description = "List pipeline runs, newest first.")
final class ListRuns implements Runnable {

    private final Session session;

    @Option(names = "--pipeline", paramLabel = "NAME", description = "only runs of this pipeline")
    String pipeline;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "only runs with this status: PENDING, RUNNING, COMPLETED, FAILED or CANCELLED")
    String status;

    @Option(names = "--meta", paramLabel = "KEY=VALUE", description = "only entries with this meta; repeatable")
    Map<String, String> meta = Map.of();

    @Mixin
    Paging paging;

    ListRuns(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(
                orth -> orth.pipelines().runs(pipeline, upper(status), meta, paging.limit, paging.after), this::print);
    }

    static String upper(String status) {
        return status == null ? null : status.toUpperCase(Locale.ROOT);
    }

    private void print(Page<PipelineRunInfo> runs) {
        Table table = Table.of("ROOT", "PIPELINE", "STATUS", "PROGRESS", "CREATED", "BY", "FINISHED");
        runs.items()
                .forEach(run -> table.row(
                        run.id(),
                        run.pipeline(),
                        run.status(),
                        run.progress() + " %",
                        run.createdAt(),
                        run.createdBy(),
                        run.finishedAt()));
        table.print(session.out(), "There are no such runs.");
        Paging.printNext(runs, session.out());
    }
}
