package io.orth.admin.pipeline;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import io.orth.admin.queue.CarriedWork;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.TaskOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Tasks that travel as messages. The claim of the message claims the task, its end ends the attempt, its next attempt is the task's, each
 * in one transaction. A message names the task's attempt that its own first attempt is; the guard of every change is that attempt, and
 * once the task is claimed the executor and the claim's log id.
 */
final class CarriedTasks implements CarriedWork {

    /** In the metadata of a message: the attempt at the task that the message's first attempt is. */
    static final String ATTEMPT = "orth.attempt";

    private static final String STALE = "stale";
    private static final String CANCELLED = "cancelled";
    private static final String PAUSED = "paused";

    private static final Logger lines = LoggerFactory.getLogger(CarriedTasks.class);

    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final PipelineMetrics metrics;
    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final OutboxRepository outbox;
    private final ContentLog content;
    private final KillSwitches switches;
    private volatile LongConsumer reconcile = root -> {};
    private volatile Runnable dispatch = () -> {};

    CarriedTasks(JdbcClient jdbc, StateChanges journal, PipelineMetrics metrics, RunIdGenerator ids) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.metrics = metrics;
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = new TaskRepository(jdbc, ids);
        this.outbox = new OutboxRepository(jdbc, ids);
        this.content = new ContentLog(jdbc);
        this.switches = new KillSwitches(jdbc);
    }

    /**
     * @param reconciler gets runs of which an attempt has ended
     * @param dispatcher there may be something new in the outbox
     */
    void connect(LongConsumer reconciler, Runnable dispatcher) {
        reconcile = reconciler;
        dispatch = dispatcher;
    }

    // --- claims

    @Override
    public Claimed claim(String queue, long executorId, List<Carried> messages, Instant at) {
        List<Long> ids = messages.stream().map(Carried::entityId).distinct().toList();
        Map<Long, PipelineRun> entered = runs.enter(tasks.rootsOf(ids));
        Map<Long, PipelineTask> found = tasks.lock(ids);
        Set<Integer> paused = switches.paused(
                found.values().stream().map(PipelineTask::stageId).distinct().toList());
        Map<Long, String> skipped = new HashMap<>();
        Map<Long, Carried> claimed = new HashMap<>();
        List<PipelineTask> held = new ArrayList<>();
        for (Carried each : messages) {
            PipelineTask task = found.get(each.entityId());
            PipelineRun run = task == null ? null : entered.get(task.rootId());
            String reason = reason(queue, each, task, run, claimed);
            if (reason == null && paused.contains(task.stageId())) {
                reason = PAUSED;
                held.add(task);
            }
            if (reason == null) {
                claimed.put(task.id(), each);
            } else {
                skipped.put(each.message().id(), reason);
            }
        }
        TaskEndings step = new TaskEndings(jdbc, journal, metrics, tasks, outbox, entered, at);
        step.sendLater(held);
        claimed.forEach((id, each) -> step.start(
                found.get(id),
                attemptOf(each.message()),
                new Fence(executorId, each.message().logId())));
        step.end();
        FaultPoints.reach(FaultPoints.PIPELINE_AFTER_CLAIM);
        return new Claimed(
                details(
                        claimed.values(),
                        claimed.keySet().stream().map(found::get).toList(),
                        entered),
                skipped);
    }

    /** Why the executor does not get this task; null if it gets it. */
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

    /** Each attempt at the message is one at the task. */
    private static int attemptOf(ClaimedMessage message) {
        return Integer.parseInt(message.metadata().get(ATTEMPT)) + message.attempt() - 1;
    }

    @Override
    public Map<Long, ClaimedTask> given(long executorId, List<Carried> messages) {
        Map<Long, PipelineTask> found =
                tasks.find(messages.stream().map(Carried::entityId).toList());
        List<Carried> still = messages.stream()
                .filter(each -> isUnder(new Fence(executorId, each.message().logId()), found.get(each.entityId())))
                .toList();
        List<PipelineTask> theirs =
                still.stream().map(each -> found.get(each.entityId())).toList();
        return details(
                still,
                theirs,
                runs.find(theirs.stream().map(PipelineTask::rootId).distinct().toList()));
    }

    private static boolean isUnder(Fence claim, PipelineTask task) {
        return task != null && claim.equals(task.claim());
    }

    private Map<Long, ClaimedTask> details(
            Collection<Carried> messages, List<PipelineTask> claimed, Map<Long, PipelineRun> of) {
        Map<Long, PipelineTask> byId = claimed.stream().collect(Collectors.toMap(PipelineTask::id, task -> task));
        List<Long> repeated = messages.stream()
                .filter(each -> attemptOf(each.message()) > 1)
                .map(Carried::entityId)
                .toList();
        Map<Long, List<String>> known = repeated.isEmpty() ? Map.of() : content.of(repeated);
        Map<Long, ClaimedTask> details = new HashMap<>();
        for (Carried each : messages) {
            PipelineTask task = byId.get(each.entityId());
            details.put(
                    each.message().id(),
                    details(
                            task,
                            attemptOf(each.message()),
                            of.get(task.rootId()),
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

    // --- ends

    /** Of a task that was cancelled, or whose run was, nothing counts any more. */
    @Override
    public void ended(Collection<Ended> messages, Instant at) {
        List<Long> ids = messages.stream().map(Ended::entityId).distinct().toList();
        Map<Long, PipelineRun> entered = runs.enter(tasks.rootsOf(ids));
        Map<Long, PipelineTask> found = tasks.lock(ids);
        TaskEndings step = new TaskEndings(jdbc, journal, metrics, tasks, outbox, entered, at);
        for (Ended each : messages) {
            PipelineTask task = found.get(each.entityId());
            if (isUnder(each.claim(), task)
                    && entered.get(task.rootId()).status().isOpen()) {
                end(task, each, step);
            }
        }
        step.end();
        Map<Long, Long> lost = messages.stream()
                .filter(each -> each.lost() && found.containsKey(each.entityId()))
                .collect(
                        Collectors.groupingBy(each -> found.get(each.entityId()).rootId(), Collectors.counting()));
        Transactions.afterCommit(() -> {
            lost.forEach((root, count) -> AboutRun.in(lines.atWarn(), entered.get(root))
                    .addKeyValue("tasks", count)
                    .log("took tasks back from executors that are gone"));
            entered.keySet().forEach(reconcile::accept);
            if (step.hasSendings()) {
                dispatch.run();
            }
        });
    }

    private static void end(PipelineTask task, Ended ended, TaskEndings step) {
        Optional<TaskOutcome> outcome = Optional.ofNullable(ended.result()).map(result -> result.task());
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

    /** The report of what the attempt left was lost, so it is as if the attempt were. The message is done: another one follows. */
    private static void endWithoutOutcome(PipelineTask task, TaskEndings step) {
        RetryPolicy policy =
                new RetryPolicy(task.maxAttempts(), step.stageOf(task).backoff());
        RetryDecision decision = RetryDecision.afterLoss(policy, task.attempts(), Duration.ZERO);
        if (decision.isRetry()) {
            step.again(task, PipelineTaskCause.LOST, TaskEndings.LOST, 0);
            step.send(
                    new Wanted(task.id(), task.attempts() + 1, task.maxAttempts() - task.attempts(), decision.delay()),
                    task);
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
