package io.orth.admin.pipeline;

import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What becomes of tasks whose executor is gone or has forgotten them: another attempt, if there is one left. */
final class LostTasks {

    private static final String LOST = TaskResults.problem("LOST", "its executor is gone or has forgotten it", null);

    private final OutboxRepository outbox;
    private final ExecutionLog log;

    LostTasks(OutboxRepository outbox, ExecutionLog log) {
        this.outbox = outbox;
        this.log = log;
    }

    /** The caller has locked the run and the tasks. Returns how many an executor had. */
    int bringBack(PipelineRun run, List<PipelineTask> tasks, TaskStep step) {
        List<TaskMove> moves = new ArrayList<>();
        List<ExecutionLog.Line> lines = new ArrayList<>();
        Map<Integer, List<PipelineTask>> again = new HashMap<>();
        for (PipelineTask task : tasks) {
            if (task.status() == PipelineTaskStatus.CLAIMED || canTryAgain(run, task)) {
                moves.add(TaskMove.again(
                        task.id(), task.status(), task.attempts(), task.executorId(), PipelineTaskCause.LOST, LOST));
                again.computeIfAbsent(task.stage(), any -> new ArrayList<>()).add(task);
            } else if (task.status() == PipelineTaskStatus.RUNNING) {
                moves.add(TaskMove.failed(
                        task.id(), task.attempts(), task.executorId(), PipelineTaskCause.EXHAUSTED, LOST));
            } else {
                continue;
            }
            lines.add(new ExecutionLog.Line(
                    run.id(),
                    task.id(),
                    ExecutionLog.ERROR,
                    "{\"attempt\":%d,\"error\":%s}".formatted(task.attempts(), LOST)));
        }
        step.move(moves);
        again.forEach((stage, some) -> outbox.add(
                run,
                stage,
                some.get(0).stageId(),
                some.stream()
                        .map(task -> new Wanted(task.id(), attemptAfter(task), null))
                        .toList(),
                step.at()));
        log.append(lines, step.at());
        return moves.size();
    }

    private static boolean canTryAgain(PipelineRun run, PipelineTask task) {
        RetryPolicy policy = new RetryPolicy(
                task.maxAttempts(), run.stages().get(task.stage()).backoff());
        return task.status() == PipelineTaskStatus.RUNNING
                && RetryDecision.next(policy, task.attempts(), Duration.ZERO, false)
                        .isRetry();
    }

    /** An attempt that nobody was told to begin does not count. */
    private static int attemptAfter(PipelineTask task) {
        return task.status() == PipelineTaskStatus.CLAIMED ? task.attempts() : task.attempts() + 1;
    }
}
