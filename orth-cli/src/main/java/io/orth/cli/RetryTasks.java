package io.orth.cli;

import io.orth.client.OrthPipelines;
import io.orth.client.Retried;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Retries failed tasks. */
@Command(
        name = "retry",
        description = "Retry failed tasks of a run: all, one stage, or selected tasks. A failed run continues.")
final class RetryTasks implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "ROOT", description = "the run's id")
    long root;

    @ArgGroup
    Which which;

    /** Mutually exclusive options that select the tasks. */
    static final class Which {

        @Option(names = "--stage", paramLabel = "STAGE", description = "only tasks of this stage")
        String stage;

        @Option(names = "--task", paramLabel = "ID", arity = "1..*", description = "only these tasks")
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
