package io.orth.admin.pipeline;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import io.orth.admin.pipeline.Reconciliation.Action;
import io.orth.admin.pipeline.RootRepository.Count;
import io.orth.admin.queue.Queues;
import io.orth.admin.queue.Revocations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * One pass over one run, in one transaction that has the run's row: counts what has ended, carries out what somebody asked for, makes
 * the next tasks, ends the run. Whatever is large is done in parts, each of which can be the last before a crash.
 */
final class RootPass {

    static final int CHUNK = 1_000;

    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final PipelineMetrics metrics;
    private final Queues queues;
    private final PipelineProperties properties;
    private final RootRepository roots;
    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final OutboxRepository outbox;
    private final ExecutionLog log;
    private final FailedRunReports failedRuns;
    private final Reopening reopening;
    private final Revocations revocations;

    RootPass(
            JdbcClient jdbc,
            StateChanges journal,
            PipelineMetrics metrics,
            Queues queues,
            TaskRepository tasks,
            OutboxRepository outbox,
            FailedRunReports failedRuns,
            PipelineProperties properties) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.metrics = metrics;
        this.queues = queues;
        this.properties = properties;
        this.roots = new RootRepository(jdbc);
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = tasks;
        this.outbox = outbox;
        this.log = new ExecutionLog(jdbc);
        this.failedRuns = failedRuns;
        this.reopening = new Reopening(jdbc);
        this.revocations = new Revocations(jdbc);
    }

    /**
     * The caller has locked the run; where something looks wrong, so that nobody works on its tasks.
     *
     * @param suspicion what an audit found; null where there was none
     */
    Reconciliation run(long root, Suspicion suspicion) {
        Work work = new Work(runs.find(root).orElseThrow());
        roots.fold(root);
        if (suspicion != null && !suspicion.isNone()) {
            new Audit(work).run(suspicion);
            work.run = runs.find(root).orElseThrow();
        }
        boolean more = isCancelledAndRecounted(work.run, suspicion) || work.advance();
        return work.end(more, suspicion != null);
    }

    /** Such a pass keeps claims of messages waiting, and a cancellation waits for claims: the next pass carries it out. */
    private static boolean isCancelledAndRecounted(PipelineRun run, Suspicion suspicion) {
        return run.status() == PipelineRunStatus.CANCELLED && suspicion != null && suspicion.counters();
    }

    /** The pass at work on one run. */
    private final class Work {

        /** As the pass found it, or as the audit has left it. */
        private PipelineRun run;

        private final TaskStep step = new TaskStep(jdbc, journal, metrics, roots.now());
        private final List<Action> actions = new ArrayList<>();
        private boolean settled;

        private Work(PipelineRun run) {
            this.run = run;
        }

        private void did(String kind, Integer stage, long count) {
            actions.add(new Action(
                    kind, stage == null ? null : run.stages().get(stage).name(), count));
        }

        private void repaired(Repair kind, Integer stage, long count) {
            did(kind.name(), stage, count);
            Transactions.afterCommit(() -> metrics.repaired(kind, count));
        }

        /** Whether there is more to be done at once. */
        private boolean advance() {
            if (run.status() == PipelineRunStatus.CANCELLED) {
                return cancel();
            }
            if (!run.status().isOpen()) {
                settled = true;
                return false;
            }
            return reopening.pending(run.id()).map(this::retry).orElseGet(this::nextStage);
        }

        /** What waits is taken out of its queue; what runs is told to stop with its executor's next beat, and its result will not count. */
        private boolean cancel() {
            // Messages before tasks, as in every step of a queue. Those of tasks that it finds cancelled are done.
            roots.messagesOf(tasks.listOpen(run.id(), CHUNK))
                    .forEach((queue, messages) ->
                            queues.find(queue).ifPresent(known -> queues.discard(known, messages)));
            List<PipelineTask> open = tasks.lockOpen(run.id(), CHUNK);
            step.move(open.stream()
                    .map(task -> TaskMove.cancelled(task.id(), task.status(), task.attempts()))
                    .toList());
            outbox.drop(open.stream().map(PipelineTask::id).toList());
            revocations.add(
                    open.stream()
                            .filter(task -> task.executorId() != null)
                            .map(task -> new Revocations.Revoked(task.logId(), task.executorId()))
                            .toList(),
                    step.at());
            if (!open.isEmpty()) {
                did("CANCELLED", null, open.size());
            }
            settled = open.size() < CHUNK;
            if (settled) {
                outbox.dropParked(run.id());
            }
            return !settled;
        }

        private boolean retry(Reopening.Pending wanted) {
            List<PipelineTask> failed = tasks.lockFailed(run.id(), wanted.from(), wanted.to(), wanted.only(), CHUNK);
            step.move(failed.stream()
                    .map(task -> TaskMove.retried(
                            task.id(),
                            task.attempts(),
                            run.stages().get(task.stage()).maxAttempts()))
                    .toList());
            promise(failed, task -> run.stages().get(task.stage()).maxAttempts());
            if (!failed.isEmpty()) {
                did("RETRIED", null, failed.size());
            }
            if (failed.size() < CHUNK) {
                reopening.done(run.id());
            }
            return true;
        }

        /**
         * They are sent anew, also what was parked of them.
         *
         * @param left how many attempts a task may have
         */
        private void promise(List<PipelineTask> some, ToIntFunction<PipelineTask> left) {
            outbox.drop(some.stream().map(PipelineTask::id).toList());
            Map<Integer, List<PipelineTask>> byStage = new HashMap<>();
            some.forEach(task -> byStage.computeIfAbsent(task.stage(), any -> new ArrayList<>())
                    .add(task));
            byStage.forEach((stage, of) -> outbox.add(
                    run,
                    stage,
                    of.get(0).stageId(),
                    of.stream()
                            .map(task -> new Wanted(task.id(), task.attempts() + 1, left.applyAsInt(task)))
                            .toList(),
                    step.at()));
        }

        private boolean nextStage() {
            List<Progress> progress = runs.progress(List.of(run.id())).get(run.id());
            Progress current = progress.get(run.stage());
            if (current.expected() == null) {
                return fanOut(current);
            }
            if (!current.isOver()) {
                return false;
            }
            Count count =
                    roots.count(run.id(), current.stage(), current.stage()).getOrDefault(current.stage(), Count.NONE);
            if (roots.hasOpenTasks(run.id(), current.stage()) || !count.agreesWith(current)) {
                // The counters are wrong. Nothing is decided by them; an audit puts them right.
                roots.auditNow(run.id());
                return true;
            }
            return over(current);
        }

        /** Makes the next part of a stage's tasks; the last part knows how many there are. */
        private boolean fanOut(Progress stage) {
            long after = roots.fannedOutTo(run.id(), stage.stage());
            TaskRepository.FannedOut part = tasks.fanOut(run, stage, after, CHUNK, step.at());
            step.created(part.made(), run.traceId());
            outbox.add(
                    run,
                    stage.stage(),
                    stage.stageId(),
                    part.made().stream()
                            .map(task -> new Wanted(
                                    task.id(),
                                    1,
                                    run.stages().get(stage.stage()).maxAttempts()))
                            .toList(),
                    step.at());
            roots.fannedOut(run.id(), stage.stage(), part.last(), part.made().size());
            FaultPoints.reach(FaultPoints.PIPELINE_IN_FAN_OUT);
            if (part.seen() < CHUNK) {
                Count count =
                        roots.count(run.id(), stage.stage(), stage.stage()).getOrDefault(stage.stage(), Count.NONE);
                roots.expect(run.id(), stage.stage(), count.tasks());
            }
            did("FAN_OUT", stage.stage(), part.made().size());
            return true;
        }

        private boolean over(Progress stage) {
            Tolerance tolerance = run.stages().get(stage.stage()).tolerance();
            if (!tolerance.bears(stage.failed(), stage.expected())) {
                String failure = JsonText.object(
                        "code", "TOO_MANY_FAILURES",
                        "stage", stage.name(),
                        "failed", stage.failed(),
                        "of", stage.expected(),
                        "tolerance", tolerance.text());
                failedRuns.report(run, stage, step.at());
                return finish(PipelineRunStatus.FAILED, PipelineRunCause.FAILED, failure);
            }
            if (stage.stage() == run.stages().size() - 1) {
                outbox.dropParked(run.id());
                return finish(PipelineRunStatus.COMPLETED, PipelineRunCause.COMPLETED, null);
            }
            roots.goTo(run.id(), stage.stage() + 1);
            did("STAGE_OVER", stage.stage(), stage.expected());
            return true;
        }

        private boolean finish(PipelineRunStatus end, PipelineRunCause why, String failure) {
            runs.move(List.of(new PipelineRunMove(run.id(), run.status(), end, why, failure)), step.at());
            did("RUN_" + end, null, 1);
            settled = true;
            return false;
        }

        private Reconciliation end(boolean more, boolean audited) {
            step.end();
            roots.looked(
                    run.id(), more ? Duration.ZERO : properties.lookEvery(), settled, audited, properties.auditEvery());
            if (!actions.isEmpty()) {
                String phase = settled ? ExecutionLog.SUMMARY : ExecutionLog.STEP;
                log.append(
                        List.of(new ExecutionLog.Line(
                                run.id(), null, phase, JsonText.of(Map.of("reconciled", told())))),
                        step.at());
            }
            return new Reconciliation(
                    run.id(), run.traceId(), runs.find(run.id()).orElseThrow().status(), actions, more);
        }

        private List<Map<String, Object>> told() {
            return actions.stream()
                    .map(action -> {
                        Map<String, Object> one = new HashMap<>();
                        one.put("kind", action.kind());
                        one.put("count", action.count());
                        if (action.stage() != null) {
                            one.put("stage", action.stage());
                        }
                        return one;
                    })
                    .toList();
        }
    }

    /** Looks for what should not be, and puts it right. Nobody works on the run's tasks meanwhile. */
    private final class Audit {

        private final Work work;
        private final PipelineRun run;

        private Audit(Work work) {
            this.work = work;
            this.run = work.run;
        }

        /** What was seen is looked at again, now that it cannot change. */
        private void run(Suspicion suspicion) {
            if (suspicion.counters()) {
                recount();
            }
            if (run.status().isOpen() && suspicion.children()) {
                findChildren();
            }
            if (run.status().isOpen() && !suspicion.orphans().isEmpty()) {
                sendAgain(suspicion.orphans());
            }
        }

        private void recount() {
            Map<Integer, Count> counts = roots.count(run.id(), 0, run.stages().size() - 1);
            for (Progress progress : runs.progress(List.of(run.id())).get(run.id())) {
                Count count = counts.getOrDefault(progress.stage(), Count.NONE);
                if (!count.agreesWith(progress)) {
                    roots.setCounters(run.id(), progress.stage(), count);
                    work.repaired(Repair.LOST_COUNTER, progress.stage(), 1);
                }
            }
        }

        private void findChildren() {
            Map<Integer, Long> missing = roots.missing(run.id());
            missing.keySet().stream().min(Integer::compare).ifPresent(first -> {
                roots.fanOutAgain(run.id(), first);
                roots.goTo(run.id(), Math.min(run.stage(), first));
            });
            missing.forEach((stage, children) -> work.repaired(Repair.MISSING_CHILD, stage, children));
        }

        private void sendAgain(List<Long> orphans) {
            Map<Long, PipelineTask> locked = tasks.lock(orphans);
            List<PipelineTask> found = roots.stillOrphaned(run.id(), orphans, properties.stuckAfter()).stream()
                    .map(locked::get)
                    .toList();
            work.promise(found, task -> task.maxAttempts() - task.attempts());
            if (!found.isEmpty()) {
                work.repaired(Repair.ORPHAN_MESSAGE, null, found.size());
            }
        }
    }
}
