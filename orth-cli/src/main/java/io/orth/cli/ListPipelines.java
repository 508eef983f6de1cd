package io.orth.cli;

import io.orth.client.PipelineInfo;
import io.orth.client.PipelineInfo.StageInfo;
import io.orth.client.PipelineList;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Lists pipeline definitions. */
@Command(name = "list", description = "List pipelines and their pause status.")
final class ListPipelines implements Runnable {

    private final Session session;

    ListPipelines(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(orth -> orth.pipelines().list(), this::print);
    }

    private void print(PipelineList pipelines) {
        Table table = Table.of("NAME", "VERSION", "PAUSED", "STAGES", "UPDATED", "BY");
        pipelines
                .items()
                .forEach(each -> table.row(
                        each.name(),
                        each.version(),
                        each.paused() ? "yes" : "no",
                        stages(each),
                        each.updatedAt(),
                        each.updatedBy()));
        table.print(session.out(), "There are no pipelines.");
        if (pipelines.paused()) {
            session.out().println("All pipelines are paused.");
        }
    }

    private static String stages(PipelineInfo pipeline) {
        return pipeline.stages().stream().map(ListPipelines::stage).collect(Collectors.joining(" > "));
    }

    private static String stage(StageInfo stage) {
        return stage.paused() ? stage.name() + " (paused)" : stage.name();
    }
}
