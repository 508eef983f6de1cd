package io.orth.admin.pipeline;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import io.orth.admin.pipeline.Reconciliation.Action;
import io.orth.admin.queue.Queues;
import io.orth.admin.queue.Revocations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * One reconciliation pass over one run, in one transaction that has locked the run's row: folds counters, carries out requested retries and
 * cancellations, creates the next tasks and finishes the run. Large amounts of work are split into chunks; a crash between two chunks loses
 * nothing.
 */
@Component
final class RootPass {

    static final int CHUNK = 1_000;

    private final PipelineTables tables;
    private final RootRepository roots;
    private final PipelineMetrics metrics;
    private final Queues queues;
    private final FailedRunReports failedRuns;
    private final PipelineProperties properties;
    private final Revocations revocations;

    RootPass(
            JdbcClient jdbc,
            PipelineTables tables,
            PipelineMetrics metrics,
            Queues queues,
            FailedRunReports failedRuns,
            PipelineProperties properties) {
        this.tables = tables;
        this.roots = tables.roots;
        this.metrics = metrics;
        this.queues = queues;
        this.failedRuns = failedRuns;
        this.properties = properties;
        this.revocations = new Revocations(jdbc);
    }

    /**
     * Runs one pass. The caller has locked the run; if the audit found an inconsistency, exclusively, so that no transaction works on its
     * tasks.
     *
     * @param suspicion findings of the audit; null if there was none
     */
    Reconciliation run(long root, Suspicion suspicion) {
        Work work = new Work(tables.runs.find(root).orElseThrow());
        roots.fold(root);
        if (suspicion != null && !suspicion.isNone()) {
            work.repair(suspicion);
            work.run = tables.runs.find(root).orElseThrow();
        }
        boolean more = isCancelledAndRecounted(work.run, suspicion) || work.advance();
        return work.end(more, suspicion != null);
    }

    /**
     * A pass that recounts blocks message claims, and a cancellation waits for message claims. The next pass carries out the cancellation.
     */
    private static boolean isCancelledAndRecounted(PipelineRun run, Suspicion suspicion) {
        return run.status() == PipelineRunStatus.CANCELLED && suspicion != null && suspicion.counters();
    }

    /** The state of a pass over one run. */
    private final class Work {

        /** The run as the pass found it, or as the repair left it. */
        private PipelineRun run;

        private final TaskStep step = tables.step(tables.now());
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

        /** Returns whether the run needs another pass immediately. */
        private boolean advance() {
            if (run.status() == PipelineRunStatus.CANCELLED) {
                return cancel();
            }
            if (!run.status().isOpen()) {
                settled = true;
                return false;
            }
            return roots.pendingRetry(run.id()).map(this::retry).orElseGet(this::nextStage);
        }

        /**
         * Removes waiting messages from their queues. Executors of running tasks are asked to stop with their next heartbeat, and their
         * results are ignored.
         */
        private boolean cancel() {
            // Lock order, as in every queue step: messages, then tasks. Messages whose tasks are already cancelled need
            // nothing.
            roots.messagesOfOpenTasks(run.id(), CHUNK)
                    .forEach((queue, messages) ->
                            queues.find(queue).ifPresent(known -> queues.discard(known, messages)));
            List<PipelineTask> open = tables.tasks.lockOpen(run.id(), CHUNK);
            step.move(open.stream()
                    .map(task -> TaskMove.of(task, PipelineTaskStatus.CANCELLED, PipelineTaskCause.CANCELLED, null))
                    .toList());
            tables.outbox.drop(open.stream().map(PipelineTask::id).toList());
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
                tables.outbox.dropParked(run.id());
            }
            return !settled;
        }

        private boolean retry(RootRepository.Retry wanted) {
            List<PipelineTask> failed =
                    tables.tasks.lockFailed(run.id(), wanted.from(), wanted.to(), wanted.only(), CHUNK);
            step.move(failed.stream()
                    .map(task -> TaskMove.of(task, PipelineTaskStatus.PENDING, PipelineTaskCause.RETRIED, null)
                            .granting(maxAttemptsOf(task)))
                    .toList());
            promise(failed, task -> Wanted.next(task, maxAttemptsOf(task), Duration.ZERO));
            if (!failed.isEmpty()) {
                did("RETRIED", null, failed.size());
            }
            if (failed.size() < CHUNK) {
                roots.retryDone(run.id());
            }
            return true;
        }

        private int maxAttemptsOf(PipelineTask task) {
            return run.stages().get(task.stage()).maxAttempts();
        }

        /** Replaces all unsent entries of these tasks, parked ones included. */
        private void promise(List<PipelineTask> some, Function<PipelineTask, Wanted> wanted) {
            tables.outbox.drop(some.stream().map(PipelineTask::id).toList());
            tables.outbox.add(run, some.stream().map(wanted).toList(), step.at());
        }

        private boolean nextStage() {
            List<Progress> progress = tables.runs.progress(List.of(run.id())).get(run.id());
            Progress current = progress.get(run.stage());
            if (current.expected() == null) {
                return fanOut(current);
            }
            if (!current.isOver()) {
                return false;
            }
            if (roots.hasWrongCounters(run.id(), current.stage())) {
                // No decision is based on wrong counters; an audit repairs them.
                roots.auditNow(run.id());
                return true;
            }
            return over(current);
        }

        /** Creates the next chunk of a stage's tasks. The last chunk sets the expected number. */
        private boolean fanOut(Progress stage) {
            TaskRepository.FannedOut part = tables.tasks.fanOut(run, stage, CHUNK, step.at());
            step.created(part.made(), run.traceId());
            tables.outbox.add(
                    run,
                    part.made().stream()
                            .map(task -> Wanted.first(task, run, stage.stage(), stage.stageId()))
                            .toList(),
                    step.at());
            roots.fannedOut(run.id(), stage.stage(), part.last(), part.made().size());
            FaultPoints.reach(FaultPoints.PIPELINE_IN_FAN_OUT);
            if (part.seen() < CHUNK) {
                roots.expectAll(run.id(), stage.stage());
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
                tables.outbox.dropParked(run.id());
                return finish(PipelineRunStatus.COMPLETED, PipelineRunCause.COMPLETED, null);
            }
            roots.goTo(run.id(), stage.stage() + 1);
            did("STAGE_OVER", stage.stage(), stage.expected());
            return true;
        }

        private boolean finish(PipelineRunStatus end, PipelineRunCause why, String failure) {
            tables.runs.move(new PipelineRunMove(run.id(), run.status(), end, why, failure), step.at());
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
                tables.log.append(
                        run.id(),
                        null,
                        phase,
                        JsonText.object(
                                "reconciled",
                                actions.stream().map(Action::toJson).toList()),
                        step.at());
            }
            PipelineRunStatus status = tables.runs.find(run.id()).orElseThrow().status();
            return new Reconciliation(run.id(), run.traceId(), status, actions, more);
        }

        /** Rechecks the audit findings under the lock and repairs them. */
        private void repair(Suspicion suspicion) {
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
            roots.wrongCounters(run.id()).forEach(counters -> {
                roots.setCounters(run.id(), counters);
                repaired(Repair.LOST_COUNTER, counters.stage(), 1);
            });
        }

        private void findChildren() {
            Map<Integer, Long> missing = roots.missing(run.id());
            missing.keySet().stream().min(Integer::compare).ifPresent(first -> {
                roots.fanOutAgain(run.id(), first);
                roots.goTo(run.id(), Math.min(run.stage(), first));
            });
            missing.forEach((stage, children) -> repaired(Repair.MISSING_CHILD, stage, children));
        }

        private void sendAgain(List<Long> orphans) {
            Map<Long, PipelineTask> locked = tables.tasks.lock(orphans);
            List<PipelineTask> found = roots.stillOrphaned(run.id(), orphans, properties.stuckAfter()).stream()
                    .map(locked::get)
                    .toList();
            promise(found, task -> Wanted.rest(task, Duration.ZERO));
            if (!found.isEmpty()) {
                repaired(Repair.ORPHAN_MESSAGE, null, found.size());
            }
        }
    }
}
