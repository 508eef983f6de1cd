package io.orth.admin.pipeline;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import io.orth.admin.queue.CarriedWork;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Tasks that travel as queue messages. Claiming the message claims the task, finishing the message finishes the attempt, and a retry of the
 * message retries the task, each in one transaction. The message metadata holds the task attempt that corresponds to the first attempt of
 * the message. This attempt guards every transition; once the task is claimed, the executor and the claim's log id guard it too.
 */
@Component
final class CarriedTasks implements CarriedWork {

    /** Key of the message metadata that holds the task attempt corresponding to the first attempt of the message. */
    static final String ATTEMPT = "orth.attempt";

    private static final String STALE = "stale";
    private static final String CANCELLED = "cancelled";
    private static final String PAUSED = "paused";

    private static final Logger lines = LoggerFactory.getLogger(CarriedTasks.class);

    private final PipelineTables tables;
    private final PipelineSignals signals;

    CarriedTasks(PipelineTables tables, PipelineSignals signals) {
        this.tables = tables;
        this.signals = signals;
    }

    // --- claims

    @Override
    public Claimed claim(String queue, long executorId, List<Carried> messages, Instant at) {
        TaskEndings step = new TaskEndings(
                tables, messages.stream().map(Carried::entityId).distinct().toList(), at);
        Set<Integer> paused = tables.pipelines.paused(step.tasks.values().stream()
                .map(PipelineTask::stageId)
                .distinct()
                .toList());
        Map<Long, String> skipped = new HashMap<>();
        Map<Long, Carried> claimed = new HashMap<>();
        for (Carried each : messages) {
            PipelineTask task = step.tasks.get(each.entityId());
            String reason = reason(queue, each, task, task == null ? null : step.runOf(task), claimed);
            if (reason == null && paused.contains(task.stageId())) {
                reason = PAUSED;
                // The outbox sends a new message when the pipeline and the stage are resumed; this one is skipped.
                step.send(task, Wanted.rest(task, Duration.ZERO));
            }
            if (reason == null) {
                claimed.put(task.id(), each);
                step.start(
                        task,
                        attemptOf(each.message()),
                        new Fence(executorId, each.message().logId()));
            } else {
                skipped.put(each.message().id(), reason);
            }
        }
        step.end();
        FaultPoints.reach(FaultPoints.PIPELINE_AFTER_CLAIM);
        return new Claimed(details(claimed.values(), step.tasks, step.runs), skipped);
    }

    /** Returns why the executor does not get this task; null if it gets it. */
    private static String reason(
            String queue, Carried message, PipelineTask task, PipelineRun run, Map<Long, Carried> claimed) {
        if (run == null || !queue.equals(run.stages().get(task.stage()).queue())) {
            return STALE;
        }
        if (task.status() == PipelineTaskStatus.CANCELLED || run.status() == PipelineRunStatus.CANCELLED) {
            return CANCELLED;
        }
        boolean next = task.isNext(attemptOf(message.message())) && run.status().isOpen();
        return next && !claimed.containsKey(task.id()) ? null : STALE;
    }

    /** Each attempt at the message is one attempt at the task. */
    private static int attemptOf(ClaimedMessage message) {
        return Integer.parseInt(message.metadata().get(ATTEMPT)) + message.attempt() - 1;
    }

    @Override
    public Map<Long, ClaimedTask> given(long executorId, List<Carried> messages) {
        Map<Long, PipelineTask> found =
                tables.tasks.find(messages.stream().map(Carried::entityId).toList());
        List<Carried> still = messages.stream()
                .filter(each -> isUnder(new Fence(executorId, each.message().logId()), found.get(each.entityId())))
                .toList();
        return details(
                still,
                found,
                tables.runs.find(still.stream()
                        .map(each -> found.get(each.entityId()).rootId())
                        .distinct()
                        .toList()));
    }

    private static boolean isUnder(Fence claim, PipelineTask task) {
        return task != null && claim.equals(task.claim());
    }

    private Map<Long, ClaimedTask> details(
            Collection<Carried> messages, Map<Long, PipelineTask> found, Map<Long, PipelineRun> runs) {
        Map<Long, List<String>> known = tables.content.of(messages.stream()
                .filter(each -> attemptOf(each.message()) > 1)
                .map(Carried::entityId)
                .toList());
        Map<Long, ClaimedTask> details = new HashMap<>();
        for (Carried each : messages) {
            PipelineTask task = found.get(each.entityId());
            details.put(
                    each.message().id(),
                    details(
                            task,
                            attemptOf(each.message()),
                            runs.get(task.rootId()),
                            known.getOrDefault(task.id(), List.of())));
        }
        return details;
    }

    static ClaimedTask details(PipelineTask task, int attempt, PipelineRun run, List<String> known) {
        Stage stage = run.stages().get(task.stage());
        return new ClaimedTask(
                task.id(),
                attempt,
                task.maxAttempts(),
                run.id(),
                run.pipeline(),
                stage.name(),
                stage.handler(),
                task.targetType(),
                task.targetId(),
                task.params(),
                task.meta(),
                run.scope(),
                run.options(),
                run.createdBy(),
                run.traceId(),
                known);
    }

    // --- results

    /** Ignores results of cancelled tasks and of tasks in cancelled runs. */
    @Override
    public void ended(Collection<Ended> messages, Instant at) {
        TaskEndings step = new TaskEndings(
                tables, messages.stream().map(Ended::entityId).distinct().toList(), at);
        for (Ended each : messages) {
            PipelineTask task = step.tasks.get(each.entityId());
            if (isUnder(each.claim(), task) && step.runOf(task).status().isOpen()) {
                end(task, each, step);
            }
        }
        step.end();
        Map<Long, Long> lost = messages.stream()
                .filter(each -> each.lost() && step.tasks.containsKey(each.entityId()))
                .collect(Collectors.groupingBy(
                        each -> step.tasks.get(each.entityId()).rootId(), Collectors.counting()));
        Transactions.afterCommit(() -> {
            lost.forEach((root, count) -> AboutRun.in(lines.atWarn(), step.runs.get(root))
                    .addKeyValue("tasks", count)
                    .log("took tasks back from executors that are gone"));
            step.runs.keySet().forEach(signals::reconcile);
            if (step.hasSendings()) {
                signals.dispatch();
            }
        });
    }

    private static void end(PipelineTask task, Ended ended, TaskEndings step) {
        Optional<TaskOutcome> outcome = Optional.ofNullable(ended.result()).map(MessageResult::task);
        long runMillis = ended.result() == null ? 0 : ended.result().runMillis();
        switch (ended.end()) {
            case SUCCEEDED ->
                outcome.ifPresentOrElse(
                        left -> step.succeed(task, left.result(), left.children(), runMillis),
                        () -> endWithoutOutcome(task, step));
            case RETRIED ->
                step.again(
                        task,
                        ended.lost() ? PipelineTaskCause.LOST : PipelineTaskCause.FAILED,
                        problem(ended, outcome),
                        runMillis);
            case EXHAUSTED -> step.fail(task, PipelineTaskCause.EXHAUSTED, problem(ended, outcome), runMillis);
            case NON_RETRYABLE ->
                step.fail(task, PipelineTaskCause.FAILED_FOR_GOOD, problem(ended, outcome), runMillis);
            case RETURNED -> step.giveBack(task);
        }
    }

    /** Treats the attempt as lost because its outcome was not reported. The message is completed, so a retry needs a new message. */
    private static void endWithoutOutcome(PipelineTask task, TaskEndings step) {
        RetryPolicy policy =
                new RetryPolicy(task.maxAttempts(), step.stageOf(task).backoff());
        RetryDecision decision = RetryDecision.afterLoss(policy, task.attempts(), Duration.ZERO);
        if (decision.isRetry()) {
            step.again(task, PipelineTaskCause.LOST, TaskEndings.LOST, 0);
            step.send(task, Wanted.rest(task, decision.delay()));
        } else {
            step.fail(task, PipelineTaskCause.EXHAUSTED, TaskEndings.LOST, 0);
        }
    }

    private static String problem(Ended ended, Optional<TaskOutcome> outcome) {
        if (ended.lost()) {
            return TaskEndings.LOST;
        }
        return outcome.map(TaskOutcome::error)
                .map(error -> TaskEndings.problem(error.code(), error.message(), error.detail()))
                .orElseGet(() -> TaskEndings.problem("FAILED", ended.error() == null ? "" : ended.error(), null));
    }
}
