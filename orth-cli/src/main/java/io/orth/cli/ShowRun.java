package io.orth.cli;

import io.orth.client.PipelineRunInfo;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one pipeline run. */
@Command(name = "show", description = "Show a run and the progress of its stages.")
final class ShowRun implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "ROOT", description = "the run's id")
    long root;

    ShowRun(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(orth -> orth.pipelines().run(root), this::print);
    }

    private void print(PipelineRunInfo run) {
        PrintWriter out = session.out();
        out.println(Plain.line("Run %d of %s, version %d, is %s: %d %%."
                .formatted(run.id(), run.pipeline(), run.version(), run.status(), run.progress())));
        Table.of("CREATED", "BY", "STARTED", "FINISHED", "TRACE ID")
                .row(run.createdAt(), run.createdBy(), run.startedAt(), run.finishedAt(), run.traceId())
                .print(out, "");
        if (run.failure() != null) {
            out.println(Plain.line("Failure: " + run.failure()));
        }
        if (run.result() != null) {
            out.println(Plain.line("Result: " + run.result()));
        }
        run.links().forEach(link -> out.println(Plain.line("%s: %s".formatted(link.name(), link.url()))));
        Table stages =
                Table.of("STAGE", "STATUS", "PAUSED", "EXPECTED", "COMPLETED", "FAILED", "CANCELLED", "OPEN", "QUEUE");
        run.stages()
                .forEach(stage -> stages.row(
                        stage.name(),
                        stage.status(),
                        stage.paused() ? "yes" : "no",
                        stage.expected(),
                        stage.completed(),
                        stage.failed(),
                        stage.cancelled(),
                        stage.open(),
                        stage.queue()));
        stages.print(out, "It has no stages.");
    }
}
