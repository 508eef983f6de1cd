package io.orth.admin.pipeline;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.Sha256;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Pipeline runs: submission, queries, cancellation and retries. */
@Component
public final class PipelineRuns {

    private static final Logger lines = LoggerFactory.getLogger(PipelineRuns.class);
    private static final int MOST_RETRIED_BY_ID = 1_000;

    private final PipelineTables tables;
    private final PipelineRunRepository runs;
    private final RunIdGenerator ids;
    private final Transactions transactions;
    private final PipelineSignals signals;

    PipelineRuns(PipelineTables tables, RunIdGenerator ids, Transactions transactions, PipelineSignals signals) {
        this.tables = tables;
        this.runs = tables.runs;
        this.ids = ids;
        this.transactions = transactions;
        this.signals = signals;
    }

    /**
     * Result of a submission.
     *
     * @param duplicate whether a run with the same key existed
     */
    public record Submitted(PipelineRun run, boolean duplicate) {}

    /** Creates the run, its first tasks and their outbox entries in one transaction. */
    public Submitted submit(Submission submission) {
        String hash = hash(submission);
        Submitted submitted = transactions.call(() -> {
            Pipeline pipeline = tables.pipelines
                    .enter(submission.pipeline())
                    .orElseThrow(() -> OrthException.notFound("pipeline", submission.pipeline()));
            long id = ids.next();
            Instant at = tables.now();
            Long estimate = estimate(pipeline, submission).orElse(null);
            if (!runs.insert(id, pipeline, submission, estimate, hash, at)) {
                return known(submission, hash);
            }
            begin(get(id), submission, at);
            return new Submitted(get(id), false);
        });
        if (!submitted.duplicate()) {
            AboutRun.in(lines.atInfo(), submitted.run())
                    .addKeyValue("pipeline", submission.pipeline())
                    .addKeyValue("by", submission.by())
                    .log("a pipeline run was submitted");
            signals.dispatch();
        }
        return submitted;
    }

    private void begin(PipelineRun run, Submission submission, Instant at) {
        int stageId = runs.addProgress(run, submission.targets().size());
        TaskStep step = tables.step(at);
        List<NewTask> made = tables.tasks.insert(run, stageId, submission.targets(), at);
        step.created(made, run.traceId());
        tables.outbox.add(
                run,
                made.stream().map(task -> Wanted.first(task, run, 0, stageId)).toList(),
                at);
        tables.log.append(
                run.id(),
                null,
                ExecutionLog.START,
                JsonText.object(
                        "by", run.createdBy(),
                        "tasks", made.size(),
                        "version", run.version(),
                        "traceId", run.traceId()),
                at);
        step.end();
    }

    private Submitted known(Submission submission, String hash) {
        PipelineRunRepository.Known known =
                runs.find(submission.pipeline(), submission.key()).orElseThrow();
        if (!Objects.equals(known.requestHash(), hash)) {
            throw OrthException.of(
                    ErrorCode.CONFLICT,
                    "another submission had the Idempotency-Key %s: it became run %d"
                            .formatted(submission.key(), known.id()));
        }
        return new Submitted(get(known.id()), true);
    }

    /** Returns the expected number of tasks, based on the last completed run; empty if there is none. */
    public Optional<Long> estimate(Submission submission) {
        Pipeline pipeline = tables.pipelines
                .find(submission.pipeline())
                .orElseThrow(() -> OrthException.notFound("pipeline", submission.pipeline()));
        return estimate(pipeline, submission);
    }

    private Optional<Long> estimate(Pipeline pipeline, Submission submission) {
        if (pipeline.stages().size() == 1) {
            return Optional.of((long) submission.targets().size());
        }
        return runs.tasksForEach(pipeline.name())
                .map(each -> Math.round(each * submission.targets().size()));
    }

    private static String hash(Submission submission) {
        return HexFormat.of()
                .formatHex(Sha256.of(JsonText.of(
                        List.of(submission.scope(), submission.options(), new TreeMap<>(submission.meta())))));
    }

    public PipelineRun get(long id) {
        return runs.find(id).orElseThrow(() -> OrthException.notFound("pipeline run", id));
    }

    /** Returns the runs by id, without their progress. */
    public Map<Long, PipelineRun> find(Collection<Long> ids) {
        return runs.find(ids);
    }

    public List<PipelineRun> list(PipelineRunFilter filter) {
        return runs.list(filter);
    }

    /** Replaces the result and the links of the run, whatever its status. */
    public PipelineRun setResult(long id, PipelineRunResult result) {
        PipelineRunResult checked = result.checked();
        return transactions.call(() -> {
            if (!runs.setResult(id, checked, tables.now())) {
                throw OrthException.notFound("pipeline run", id);
            }
            return get(id);
        });
    }

    /**
     * Cancels the run. After this method returns, no task of the run starts. Running tasks are asked to stop, and their results are
     * ignored.
     */
    public PipelineRun cancel(long id, String by, String reason) {
        transactions.run(() -> {
            PipelineRun run = lock(id);
            if (!run.status().isOpen()) {
                throw OrthException.of(ErrorCode.CONFLICT, "pipeline run %d is %s".formatted(id, run.status()));
            }
            Instant at = tables.now();
            runs.move(PipelineRunMove.of(run, PipelineRunStatus.CANCELLED, PipelineRunCause.CANCELLED), at);
            tables.log.append(
                    run.id(), null, ExecutionLog.STEP, JsonText.object("cancelledBy", by, "reason", reason), at);
        });
        signals.reconcile(id);
        PipelineRun cancelled = get(id);
        AboutRun.in(lines.atInfo(), cancelled).addKeyValue("by", by).log("a pipeline run was cancelled");
        return cancelled;
    }

    /**
     * Result of a retry.
     *
     * @param tasks the number of failed tasks that are retried
     */
    public record Retried(PipelineRun run, long tasks) {}

    /**
     * Retries failed tasks with all attempts, and reopens the run if it has failed.
     *
     * @param stage the stage of the tasks; null for all
     * @param only ids of tasks; null for all
     */
    public Retried retry(long id, String stage, Collection<Long> only, String by) {
        if (only != null && (only.isEmpty() || only.size() > MOST_RETRIED_BY_ID)) {
            throw OrthException.invalid("taskIds", "must be 1 to %d".formatted(MOST_RETRIED_BY_ID));
        }
        long failed = transactions.call(() -> {
            PipelineRun run = lock(id);
            if (!canBeRetried(run)) {
                throw OrthException.of(ErrorCode.CONFLICT, "pipeline run %d is %s".formatted(id, run.status()));
            }
            int last = run.stages().size() - 1;
            int from = stage == null ? 0 : placeOf(run, stage);
            int to = stage == null ? last : from;
            List<PipelineTask> first = tables.tasks.lockFailed(id, from, to, only, 1);
            if (first.isEmpty()) {
                throw OrthException.of(ErrorCode.CONFLICT, "pipeline run %d has no such failed task".formatted(id));
            }
            reopen(run, first.get(0).stage(), to, stage, only, by);
            return tables.tasks.countFailed(id, from, to, only);
        });
        PipelineRun reopened = get(id);
        AboutRun.in(lines.atInfo(), reopened)
                .addKeyValue("by", by)
                .addKeyValue("stage", stage)
                .log("failed tasks of a pipeline run are tried again");
        return new Retried(reopened, failed);
    }

    private static boolean canBeRetried(PipelineRun run) {
        return run.status() == PipelineRunStatus.FAILED || run.status() == PipelineRunStatus.RUNNING;
    }

    private void reopen(PipelineRun run, int from, int to, String stage, Collection<Long> only, String by) {
        Instant at = tables.now();
        tables.roots.noteRetry(run, from, to, only);
        if (run.status() == PipelineRunStatus.FAILED) {
            runs.move(PipelineRunMove.of(run, PipelineRunStatus.RUNNING, PipelineRunCause.RETRIED), at);
        }
        tables.log.append(run.id(), null, ExecutionLog.STEP, JsonText.object("retriedBy", by, "stage", stage), at);
        Transactions.afterCommit(() -> signals.reconcile(run.id()));
    }

    /**
     * Sends parked entries of one run again. Grants all attempts again to tasks that failed because of them, and reopens the run if it has
     * failed. Runs in the caller's transaction.
     *
     * @return the number of entries that were parked
     */
    int redrive(long id, List<Long> entries, String by) {
        Optional<PipelineRun> run = runs.lock(id);
        List<OutboxEntry> parked = tables.outbox.parked(entries);
        List<PipelineTask> failed =
                tables.tasks.find(parked.stream().map(OutboxEntry::taskId).toList()).values().stream()
                        .filter(task -> task.status() == PipelineTaskStatus.FAILED)
                        .toList();
        List<Long> again = failed.stream().map(PipelineTask::id).toList();
        if (!failed.isEmpty() && run.filter(PipelineRuns::canBeRetried).isPresent()) {
            IntSummaryStatistics stages = failed.stream().collect(Collectors.summarizingInt(PipelineTask::stage));
            reopen(run.get(), stages.getMin(), stages.getMax(), null, again, by);
            // The retry adds new entries for these tasks.
            tables.outbox.drop(again);
        }
        tables.outbox.redrive(parked.stream()
                .filter(entry -> !again.contains(entry.taskId()))
                .map(OutboxEntry::id)
                .toList());
        return parked.size();
    }

    private static int placeOf(PipelineRun run, String stage) {
        for (int i = 0; i < run.stages().size(); i++) {
            if (run.stages().get(i).name().equals(stage)) {
                return i;
            }
        }
        throw OrthException.invalid("stage", "is not one of the run's: " + stage);
    }

    private PipelineRun lock(long id) {
        return runs.lock(id).orElseThrow(() -> OrthException.notFound("pipeline run", id));
    }
}
