package io.orth.cli;

import io.orth.client.OrthPipelines;
import io.orth.client.Retried;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives failed tasks another chance. */
@Command(
        name = "retry",
        description = "Give the failed tasks of a run another chance: all, or some; a run that has failed goes on.")
final class RetryTasks implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "ROOT", description = "the run's id")
    long root;

    @ArgGroup
    Which which;

    /** One of these. */
    static final class Which {

        @Option(names = "--stage", paramLabel = "STAGE", description = "only those of this stage")
        String stage;

        @Option(names = "--task", paramLabel = "ID", arity = "1..*", description = "only these")
        List<Long> tasks;
    }

    RetryTasks(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(orth -> retry(orth.pipelines()), this::print);
    }

    private Retried retry(OrthPipelines pipelines) {
        if (which == null) {
            return pipelines.retry(root);
        }
        return which.stage == null ? pipelines.retryTasks(root, which.tasks) : pipelines.retryStage(root, which.stage);
    }

    private void print(Retried retried) {
        session.out()
                .println(Plain.line("%d failed tasks get another chance; run %d is %s."
                        .formatted(
                                retried.tasks(),
                                retried.run().id(),
                                retried.run().status())));
    }
}
