package io.orth.admin.pipeline;

import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Takes tasks back from executors that are gone. On every node; who comes second finds nothing to do. */
final class TaskRescuer implements Duty {

    private static final Logger lines = LoggerFactory.getLogger(TaskRescuer.class);
    private static final int BATCH = 1_000;

    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final PipelineMetrics metrics;
    private final Transactions transactions;
    private final RootRepository roots;
    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final LostTasks lost;
    private final SystemLog log;
    private final LongConsumer reconcile;
    private final Runnable dispatch;

    TaskRescuer(
            JdbcClient jdbc,
            StateChanges journal,
            PipelineMetrics metrics,
            Transactions transactions,
            TaskRepository tasks,
            OutboxRepository outbox,
            SystemLog log,
            LongConsumer reconcile,
            Runnable dispatch) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.metrics = metrics;
        this.transactions = transactions;
        this.roots = new RootRepository(jdbc);
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = tasks;
        this.lost = new LostTasks(outbox, new ExecutionLog(jdbc));
        this.log = log;
        this.reconcile = reconcile;
        this.dispatch = dispatch;
    }

    @Override
    public Pass run() {
        int found = 0;
        RuntimeException failure = null;
        for (Map.Entry<Long, List<Long>> each : tasks.ofGone(BATCH).entrySet()) {
            try {
                int moved = transactions.call(() -> rescue(each.getKey(), each.getValue()));
                metrics.repaired(Repair.STUCK_CLAIM, moved);
                tell(each.getKey(), moved);
                reconcile.accept(each.getKey());
                found += each.getValue().size();
            } catch (RuntimeException e) {
                // One run's tasks keep no other's waiting; that it failed is told when all had their turn.
                failure = e;
            }
        }
        if (found > 0) {
            dispatch.run();
        }
        if (failure != null) {
            throw failure;
        }
        return Pass.after(found, BATCH);
    }

    private void tell(long root, int moved) {
        if (moved > 0) {
            PipelineRun run = runs.find(root).orElseThrow();
            AboutRun.in(lines.atWarn(), run)
                    .addKeyValue("tasks", moved)
                    .log("took tasks back from executors that are gone");
            log.warn("tasks of %s were taken back from executors that are gone: %d"
                    .formatted(AboutRun.text(root, run.traceId()), moved));
        }
    }

    private int rescue(long root, List<Long> ids) {
        PipelineRun run = runs.enter(List.of(root)).get(root);
        if (run == null || !run.status().isOpen()) {
            return 0;
        }
        Map<Long, PipelineTask> locked = tasks.lock(ids);
        List<Long> still = tasks.ofGone(ids);
        TaskStep step = new TaskStep(jdbc, journal, metrics, roots.now());
        int moved = lost.bringBack(run, still.stream().map(locked::get).toList(), step);
        step.end();
        return moved;
    }
}
