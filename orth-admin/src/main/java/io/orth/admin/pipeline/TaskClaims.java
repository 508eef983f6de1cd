package io.orth.admin.pipeline;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import io.orth.admin.queue.Queues;
import io.orth.protocol.BegunTask;
import io.orth.protocol.TaskKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Gives tasks to executors: one short transaction claims them, by the attempt that is expected, and one says that they run. Who asks
 * again, because the answer got lost, is told the same.
 */
final class TaskClaims {

    private static final String STALE = "stale";
    private static final String CANCELLED = "cancelled";
    private static final String PAUSED = "paused";
    private static final String UNKNOWN = "unknown";

    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final PipelineMetrics metrics;
    private final Transactions transactions;
    private final Queues queues;
    private final PipelineRepository pipelines;
    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final OutboxRepository outbox;
    private final ContentLog content;
    private final ExecutionLog log;
    private final KillSwitches switches;

    TaskClaims(
            JdbcClient jdbc,
            StateChanges journal,
            PipelineMetrics metrics,
            Transactions transactions,
            Queues queues,
            TaskRepository tasks,
            OutboxRepository outbox) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.metrics = metrics;
        this.transactions = transactions;
        this.queues = queues;
        this.pipelines = new PipelineRepository(jdbc);
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = tasks;
        this.outbox = outbox;
        this.content = new ContentLog(jdbc);
        this.log = new ExecutionLog(jdbc);
        this.switches = new KillSwitches(jdbc);
    }

    /** An executor that is online. */
    record Worker(int group, long executor) {}

    List<BegunTask> begin(Worker worker, List<TaskKey> keys) {
        Map<TaskKey, String> skipped = transactions.call(() -> claim(worker, keys, false));
        FaultPoints.reach(FaultPoints.PIPELINE_AFTER_CLAIM);
        return transactions.call(() -> run(worker, keys, new HashMap<>(skipped)));
    }

    /** Of a task that is done by now, also where its pipeline was paused meanwhile. In the caller's transaction. */
    boolean beginWhatIsDone(Worker worker, TaskKey key) {
        Map<TaskKey, String> skipped = claim(worker, List.of(key), true);
        return run(worker, List.of(key), skipped).get(0).isToRun();
    }

    // --- claiming

    private Map<TaskKey, String> claim(Worker worker, List<TaskKey> keys, boolean evenPaused) {
        List<Long> ids = keys.stream().map(TaskKey::taskId).distinct().toList();
        Map<Long, PipelineRun> entered = runs.enter(tasks.rootsOf(ids));
        Map<Long, PipelineTask> found = tasks.lock(ids);
        Set<Integer> paused = switches.paused(
                found.values().stream().map(PipelineTask::stageId).distinct().toList());
        Set<String> foreign = foreign(worker, entered.values());
        Map<TaskKey, String> skipped = new HashMap<>();
        List<TaskMove> claims = new ArrayList<>();
        List<PipelineTask> held = new ArrayList<>();
        Map<Long, TaskKey> claimed = new HashMap<>();
        for (TaskKey key : keys) {
            PipelineTask task = found.get(key.taskId());
            PipelineRun run = task == null ? null : entered.get(task.rootId());
            String reason = run == null ? UNKNOWN : reason(key, task, run, worker, foreign);
            if (reason == null && task.status() == PipelineTaskStatus.PENDING) {
                if (!evenPaused && paused.contains(task.stageId())) {
                    reason = PAUSED;
                    held.add(task);
                } else if (claimed.putIfAbsent(task.id(), key) == null) {
                    claims.add(TaskMove.claimed(task.id(), key.attempt(), worker.executor(), key.logId()));
                } else if (!claimed.get(task.id()).equals(key)) {
                    reason = STALE;
                }
            }
            if (reason != null) {
                skipped.put(key, reason);
            }
        }
        TaskStep step = new TaskStep(jdbc, journal, metrics, pipelines.now());
        holdBack(held, entered, step);
        step.move(claims);
        open(claims, found, entered, step);
        step.end();
        return skipped;
    }

    /** Why this executor does not get this task; null where it does. */
    private static String reason(TaskKey key, PipelineTask task, PipelineRun run, Worker worker, Set<String> foreign) {
        if (foreign.contains(run.stages().get(task.stage()).queue())) {
            return UNKNOWN;
        }
        if (task.status() == PipelineTaskStatus.CANCELLED || run.status() == PipelineRunStatus.CANCELLED) {
            return CANCELLED;
        }
        boolean next = task.isNext(key.attempt()) && run.status().isOpen();
        return next || isFor(key, task, worker) ? null : STALE;
    }

    /** Whether this very message is the one that the executor has the task by. */
    private static boolean isFor(TaskKey key, PipelineTask task, Worker worker) {
        return task.isWith(worker.executor(), key.attempt()) && key.logId() == task.logId();
    }

    /** The queues that another group's executors work on. */
    private Set<String> foreign(Worker worker, Collection<PipelineRun> entered) {
        Set<String> names = new HashSet<>();
        entered.forEach(run -> run.stages().stream()
                .map(Stage::queue)
                .filter(queue -> queue != null)
                .forEach(names::add));
        return queues.ofOtherGroups(names, worker.group());
    }

    /** The message that brought a task which is paused is let go; another one follows when it may go on. */
    private void holdBack(List<PipelineTask> held, Map<Long, PipelineRun> entered, TaskStep step) {
        Map<List<Long>, List<PipelineTask>> byStage = new HashMap<>();
        held.forEach(task -> byStage.computeIfAbsent(
                        List.of(task.rootId(), (long) task.stage()), any -> new ArrayList<>())
                .add(task));
        byStage.values()
                .forEach(some -> outbox.add(
                        entered.get(some.get(0).rootId()),
                        some.get(0).stage(),
                        some.get(0).stageId(),
                        some.stream()
                                .map(task -> new Wanted(task.id(), task.attempts() + 1, null))
                                .toList(),
                        step.at()));
    }

    private void open(
            List<TaskMove> claims, Map<Long, PipelineTask> found, Map<Long, PipelineRun> entered, TaskStep step) {
        List<ExecutionLog.Line> lines = new ArrayList<>(claims.size());
        Map<Long, PipelineRunMove> opened = new HashMap<>();
        for (TaskMove claim : claims) {
            PipelineTask task = found.get(claim.id());
            lines.add(new ExecutionLog.Line(
                    task.rootId(),
                    task.id(),
                    ExecutionLog.START,
                    JsonText.object(
                            "attempt", claim.attempt(),
                            "executorId", Long.toString(claim.executorId()),
                            "logId", Long.toString(claim.logId()))));
            if (entered.get(task.rootId()).status() == PipelineRunStatus.PENDING) {
                opened.put(
                        task.rootId(),
                        new PipelineRunMove(
                                task.rootId(),
                                PipelineRunStatus.PENDING,
                                PipelineRunStatus.RUNNING,
                                PipelineRunCause.BEGUN,
                                null));
            }
        }
        log.append(lines, step.at());
        runs.move(opened.values(), step.at());
    }

    // --- running

    private List<BegunTask> run(Worker worker, List<TaskKey> keys, Map<TaskKey, String> skipped) {
        List<TaskKey> wanted =
                keys.stream().filter(key -> !skipped.containsKey(key)).toList();
        List<Long> ids = wanted.stream().map(TaskKey::taskId).distinct().toList();
        Map<Long, PipelineRun> entered = runs.enter(tasks.rootsOf(ids));
        Map<Long, PipelineTask> found = tasks.lock(ids);
        TaskStep step = new TaskStep(jdbc, journal, metrics, pipelines.now());
        List<TaskMove> moves = new ArrayList<>();
        for (TaskKey key : wanted) {
            PipelineTask task = found.get(key.taskId());
            if (task == null || !isFor(key, task, worker)) {
                skipped.put(key, task != null && task.status() == PipelineTaskStatus.CANCELLED ? CANCELLED : STALE);
            } else if (!entered.get(task.rootId()).status().isOpen()) {
                skipped.put(key, CANCELLED);
            } else if (task.status() == PipelineTaskStatus.CLAIMED) {
                moves.add(TaskMove.begun(task.id(), key.attempt(), worker.executor()));
            }
        }
        step.move(moves);
        step.end();
        Map<Long, List<String>> known = content.of(found.values().stream()
                .filter(task -> task.attempts() > 1)
                .map(PipelineTask::id)
                .toList());
        return keys.stream()
                .map(key -> skipped.containsKey(key)
                        ? BegunTask.skip(key.taskId(), key.attempt(), skipped.get(key))
                        : BegunTask.run(
                                key.taskId(),
                                key.attempt(),
                                details(
                                        found.get(key.taskId()),
                                        entered.get(found.get(key.taskId()).rootId()),
                                        known.getOrDefault(key.taskId(), List.of()))))
                .toList();
    }

    static BegunTask.Details details(PipelineTask task, PipelineRun run, List<String> known) {
        Stage stage = run.stages().get(task.stage());
        return new BegunTask.Details(
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
                task.maxAttempts(),
                known);
    }
}
