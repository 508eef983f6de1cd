package io.orth.executor.internal.pipeline;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.MessageQueue;
import io.orth.executor.internal.job.ResultSink;
import io.orth.executor.internal.queue.Queues;
import io.orth.executor.internal.transport.Admins;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.BegunTask;
import io.orth.protocol.TaskBegin;
import io.orth.protocol.TaskBeginReply;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskContentReply;
import io.orth.protocol.TaskFinish;
import io.orth.protocol.TaskFinishReply;
import io.orth.protocol.TaskKey;
import io.orth.protocol.TaskResult;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import io.orth.protocol.TaskVerdict;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of pipelines that an executor works on. Takes the results of their runs, ends the tasks accordingly, and only then
 * has the queues report the messages as done: whatever became of a task, its message was of use.
 */
public final class Stages implements TaskPort, ResultSink {

    /** One attempt that is not over. */
    private static final class Attempt {

        private final TaskKey key;
        private final CompletableFuture<BegunTask> begun = new CompletableFuture<>();

        /** Null while its handler has not been called. */
        private volatile LiveTask task;

        private Attempt(TaskKey key) {
            this.key = key;
        }
    }

    private static final Logger log = LoggerFactory.getLogger(Stages.class);
    private static final RunResult NOT_REPORTED = RunResult.fail("the end of the task could not be reported");
    private static final int WEIGHT_OF_A_KEY = 80;
    private static final int WEIGHT_OF_A_REF = 150;

    private final List<MessageQueue> queues;
    private final Courier<TaskKey, BegunTask> begins;
    private final Courier<TaskContent.Item, TaskVerdict> contents;
    private final Courier<TaskSteps.Item, TaskVerdict> steps;
    private final Courier<TaskResult, TaskVerdict> finishes;

    /** By the log id of the message. */
    private final Map<Long, Attempt> attempts = new ConcurrentSkipListMap<>();

    // Set before anything begins.
    private volatile JobThreads lanes;
    private volatile Queues messages;

    /**
     * @param timeout of a request
     * @param patience how long something is tried that the admins refuse
     */
    public Stages(
            Collection<StageQueue> stages, String instanceId, Admins admins, Duration timeout, Duration patience) {
        this.queues = stages.stream().map(stage -> stage.messageQueue(this)).toList();
        this.begins = new Courier<>(
                new Courier.Route<>(
                        "beginnings",
                        AdminPaths.TASK_BEGIN,
                        keys -> new TaskBegin(instanceId, keys),
                        reply -> TaskBeginReply.from(reply).tasks(),
                        timeout,
                        patience),
                admins);
        this.contents = new Courier<>(
                new Courier.Route<>(
                        "contents",
                        AdminPaths.TASK_CONTENT,
                        items -> new TaskContent(instanceId, items),
                        reply -> TaskContentReply.from(reply).items().stream()
                                .map(TaskContentReply.Item::verdict)
                                .toList(),
                        timeout,
                        patience),
                admins);
        this.steps = new Courier<>(
                new Courier.Route<>(
                        "steps",
                        AdminPaths.TASK_STEPS,
                        items -> new TaskSteps(instanceId, items),
                        reply -> TaskStepsReply.from(reply).items().stream()
                                .map(TaskStepsReply.Item::verdict)
                                .toList(),
                        timeout,
                        patience),
                admins);
        this.finishes = new Courier<>(
                new Courier.Route<>(
                        "results",
                        AdminPaths.TASK_FINISH,
                        results -> new TaskFinish(instanceId, results),
                        reply -> TaskFinishReply.from(reply).results().stream()
                                .map(TaskFinishReply.Item::verdict)
                                .toList(),
                        timeout,
                        patience),
                admins);
    }

    /** The queues by which tasks come. */
    public List<MessageQueue> queues() {
        return queues;
    }

    /** Called once, before anything can begin. */
    public void start(JobThreads where, Queues reports) {
        lanes = where;
        messages = reports;
        if (!queues.isEmpty()) {
            couriers().forEach(Courier::start);
        }
    }

    private List<Courier<?, ?>> couriers() {
        return List.of(begins, contents, steps, finishes);
    }

    /** How many tasks have ended and no admin has recorded it. */
    public long unsent() {
        return finishes.unanswered();
    }

    /** Of these attempts, by the log id of the message, those whose task no admin has ended yet. */
    public List<Long> unfinished(Collection<Long> logIds) {
        return logIds.stream().filter(attempts::containsKey).toList();
    }

    /** Delivers what is left for {@code grace}, and ends; before the queues do, whose messages depend on it. */
    public void stop(Duration grace) throws InterruptedException {
        if (queues.isEmpty()) {
            return;
        }
        long deadline = System.nanoTime() + grace.toNanos();
        try {
            for (Courier<?, ?> courier : couriers()) {
                courier.stop(deadline);
            }
        } finally {
            if (!attempts.isEmpty()) {
                log.warn("{} tasks of pipelines were not finished; an admin will decide about them", attempts.size());
            }
        }
    }

    // --- what tasks say

    @Override
    public CompletableFuture<BegunTask> begin(TaskKey key, BooleanSupplier isCancelled) {
        Attempt attempt = new Attempt(key);
        attempts.put(key.logId(), attempt);
        // Whoever tells a run to stop does so before it reports the result. Either it will find the attempt, or this
        // finds out.
        if (isCancelled.getAsBoolean() && attempts.remove(key.logId()) != null) {
            attempt.begun.completeExceptionally(new IllegalStateException("the run was told to stop"));
            return attempt.begun;
        }
        begins.send(key, WEIGHT_OF_A_KEY, attempt.begun);
        return attempt.begun;
    }

    @Override
    public void running(TaskKey key, LiveTask task) {
        Attempt attempt = attempts.get(key.logId());
        if (attempt != null) {
            attempt.task = task;
        }
    }

    @Override
    public CompletableFuture<TaskVerdict> content(TaskContent.Item item) {
        return contents.send(item, WEIGHT_OF_A_REF + item.ref().length());
    }

    @Override
    public CompletableFuture<TaskVerdict> step(TaskSteps.Item item) {
        return steps.send(item, WEIGHT_OF_A_KEY + item.payload().length());
    }

    @Override
    public void over(TaskKey key, String reason) {
        lanes.killRuns(List.of(key.logId()), reason);
    }

    // --- how they end

    @Override
    public void finished(OrthJobContext run, RunResult result, Duration took) {
        Attempt attempt = attempts.get(run.logId());
        if (attempt == null) {
            messages.finished(run, result, took);
            return;
        }
        // A run that was cut short may end before it is known whether its task has begun.
        after(attempt.begun, run, took, (begun, problem) -> {
            if (problem instanceof Courier.StoppedException) {
                messages.giveBack(run);
                attempts.remove(run.logId());
            } else if (problem != null) {
                done(run, result, took);
            } else if (begun.isToRun()) {
                finish(run, TaskResults.of(attempt.key, attempt.task, result, took), took);
            } else {
                done(run, RunResult.success("skipped: " + begun.reason()), took);
            }
        });
    }

    private void finish(OrthJobContext run, TaskResult result, Duration took) {
        after(finishes.send(result, TaskResults.weightOf(result)), run, took, (verdict, problem) -> {
            if (problem == null) {
                done(run, RunResult.success(textOf(run, result, verdict)), took);
            } else if (problem instanceof Courier.RefusedException refused && !isSubstitute(result)) {
                TaskFacts.of(run).in(log.atWarn()).log("a task's result was refused: {}", refused.getMessage());
                finish(run, TaskResults.refused(result, refused.getMessage()), took);
            } else if (problem instanceof Courier.RefusedException refused) {
                done(run, RunResult.fail("the task's end was refused: " + refused.getMessage()), took);
            }
            // Stopped: the message stays with this instance, as the task does, until an admin has found out that it is
            // gone.
        });
    }

    private static boolean isSubstitute(TaskResult result) {
        return result.error() != null && result.error().code().equals(TaskResults.RESULT_REFUSED);
    }

    private static String textOf(OrthJobContext run, TaskResult result, TaskVerdict verdict) {
        if (verdict != TaskVerdict.RECORDED) {
            TaskFacts.of(run)
                    .in(log.atInfo())
                    .log("the result of attempt {} at a task does not count: {}", result.attempt(), verdict.wireName());
            return "the task's result does not count: " + verdict.wireName();
        }
        return result.error() == null
                ? null
                : "the task failed: %s %s"
                        .formatted(result.error().code(), result.error().message());
    }

    /** In this order: until an admin has the result, the attempt is found here or among the queues' results. */
    private void done(OrthJobContext run, RunResult result, Duration took) {
        messages.finished(run, result, took);
        attempts.remove(run.logId());
    }

    /** If it throws, an error even, the message fails: without a result it would keep its slot. */
    private <T> void after(
            CompletionStage<T> answer, OrthJobContext run, Duration took, BiConsumer<T, Throwable> then) {
        answer.whenComplete((given, problem) -> {
            try {
                then.accept(given, problem);
            } catch (Throwable e) {
                done(run, NOT_REPORTED, took);
                log.error("the end of a task could not be dealt with", e);
            }
        });
    }
}
