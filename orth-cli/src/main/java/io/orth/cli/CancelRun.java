package io.orth.cli;

import io.orth.client.PipelineRunInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Cancels a pipeline run. */
@Command(name = "cancel", description = "Cancel a run: no further tasks start, and running tasks are asked to stop.")
final class CancelRun implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "ROOT", description = "the run's id")
    long root;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "the reason, stored with the cancellation")
    String reason;

    CancelRun(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(orth -> orth.pipelines().cancel(root, reason), this::print);
    }

    private void print(PipelineRunInfo run) {
        // Tasks are cancelled in batches, so some may be cancelled already. They are cancelled in no other way, so the
        // sum is right.
        long tasks = run.stages().stream()
                .mapToLong(stage -> stage.cancelled() + (stage.open() == null ? 0 : stage.open()))
                .sum();
        session.out()
                .println(Plain.line("Run %d is %s; %d tasks were not over.".formatted(run.id(), run.status(), tasks)));
    }
}
