package io.orth.admin.pipeline;

import io.orth.runtime.Duty;

/** Measures how much there is to do, for the metrics. The same on every node. */
final class PipelineWatch implements Duty {

    private static final int COUNT_TO = 1_000_000;

    private final RootRepository roots;
    private final OutboxRepository outbox;
    private final PipelineMetrics metrics;

    PipelineWatch(RootRepository roots, OutboxRepository outbox, PipelineMetrics metrics) {
        this.roots = roots;
        this.outbox = outbox;
        this.metrics = metrics;
    }

    @Override
    public Pass run() {
        metrics.measured(roots.openTasks(), outbox.figures(COUNT_TO));
        return Pass.DRAINED;
    }
}
