package io.orth.admin.pipeline;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.Sha256;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Runs of pipelines: submitted, looked at, cancelled, and opened again for what failed. */
public final class PipelineRuns {

    private static final Logger lines = LoggerFactory.getLogger(PipelineRuns.class);
    private static final int MOST_RETRIED_BY_ID = 1_000;

    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final PipelineMetrics metrics;
    private final RunIdGenerator ids;
    private final Transactions transactions;
    private final PipelineRepository pipelines;
    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final OutboxRepository outbox;
    private final ExecutionLog log;
    private final Runnable dispatch;
    private final LongConsumer reconcile;

    /**
     * @param dispatch the outbox has something new
     * @param reconcile there is something to be done about this run
     */
    PipelineRuns(
            JdbcClient jdbc,
            StateChanges journal,
            PipelineMetrics metrics,
            RunIdGenerator ids,
            Transactions transactions,
            Runnable dispatch,
            LongConsumer reconcile) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.metrics = metrics;
        this.ids = ids;
        this.transactions = transactions;
        this.pipelines = new PipelineRepository(jdbc);
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = new TaskRepository(jdbc, ids);
        this.outbox = new OutboxRepository(jdbc, ids);
        this.log = new ExecutionLog(jdbc);
        this.dispatch = dispatch;
        this.reconcile = reconcile;
    }

    /**
     * What a submission led to.
     *
     * @param duplicate whether there was a run for its key already
     */
    public record Submitted(PipelineRun run, boolean duplicate) {}

    /** The run, its first tasks and the promise to send them are one transaction. */
    public Submitted submit(Submission submission) {
        String hash = hash(submission);
        Submitted submitted = transactions.call(() -> {
            Pipeline pipeline = pipelines
                    .enter(submission.pipeline())
                    .orElseThrow(() -> OrthException.notFound("pipeline", submission.pipeline()));
            long id = ids.next();
            Instant at = pipelines.now();
            Long estimate = estimate(pipeline, submission).orElse(null);
            if (!runs.insert(new NewPipelineRun(id, pipeline, submission, estimate, hash), at)) {
                return known(submission, hash);
            }
            begin(runs.find(id).orElseThrow(), submission, at);
            return new Submitted(get(id), false);
        });
        if (!submitted.duplicate()) {
            AboutRun.in(lines.atInfo(), submitted.run())
                    .addKeyValue("pipeline", submission.pipeline())
                    .addKeyValue("by", submission.by())
                    .log("a pipeline run was submitted");
            dispatch.run();
        }
        return submitted;
    }

    private void begin(PipelineRun run, Submission submission, Instant at) {
        Map<String, Integer> stageIds = pipelines.stageIds(run.pipeline());
        List<Integer> inOrder =
                run.stages().stream().map(stage -> stageIds.get(stage.name())).toList();
        runs.addProgress(run.id(), inOrder, submission.targets().size());
        TaskStep step = new TaskStep(jdbc, journal, metrics, at);
        List<NewTask> made = tasks.insert(run, inOrder.get(0), submission.targets(), at);
        step.created(made, run.traceId());
        outbox.add(
                run,
                0,
                inOrder.get(0),
                made.stream()
                        .map(task ->
                                new Wanted(task.id(), 1, run.stages().get(0).maxAttempts()))
                        .toList(),
                at);
        log.append(
                List.of(new ExecutionLog.Line(
                        run.id(),
                        null,
                        ExecutionLog.START,
                        JsonText.object(
                                "by",
                                run.createdBy(),
                                "tasks",
                                made.size(),
                                "version",
                                run.version(),
                                "traceId",
                                run.traceId()))),
                at);
        step.end();
    }

    private Submitted known(Submission submission, String hash) {
        PipelineRunRepository.Known known =
                runs.find(submission.pipeline(), submission.key()).orElseThrow();
        if (!Objects.equals(known.hash(), hash)) {
            throw OrthException.of(
                    ErrorCode.CONFLICT,
                    "another submission had the Idempotency-Key %s: it became run %d"
                            .formatted(submission.key(), known.id()));
        }
        return new Submitted(get(known.id()), true);
    }

    /** How many tasks it will have if things go as they went last time; empty where there was no last time. */
    public Optional<Long> estimate(Submission submission) {
        Pipeline pipeline = pipelines
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
                .formatHex(Sha256.of(JsonText.of(List.of(
                        submission.scope(), submission.options(), new java.util.TreeMap<>(submission.meta())))));
    }

    public PipelineRun get(long id) {
        return runs.find(id).orElseThrow(() -> OrthException.notFound("pipeline run", id));
    }

    /** By their ids, without what has become of their tasks. */
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
            if (!runs.setResult(id, checked, pipelines.now())) {
                throw OrthException.notFound("pipeline run", id);
            }
            return get(id);
        });
    }

    /** From when this returns, none of its tasks begins; those that run are told to stop, and what they report does not count. */
    public PipelineRun cancel(long id, String by, String reason) {
        transactions.run(() -> {
            PipelineRun run = lock(id);
            if (!run.status().isOpen()) {
                throw OrthException.of(ErrorCode.CONFLICT, "pipeline run %d is %s".formatted(id, run.status()));
            }
            Instant at = pipelines.now();
            runs.move(
                    List.of(new PipelineRunMove(
                            id, run.status(), PipelineRunStatus.CANCELLED, PipelineRunCause.CANCELLED, null)),
                    at);
            log.append(
                    List.of(new ExecutionLog.Line(
                            id, null, ExecutionLog.STEP, JsonText.object("cancelledBy", by, "reason", reason))),
                    at);
        });
        reconcile.accept(id);
        PipelineRun cancelled = get(id);
        AboutRun.in(lines.atInfo(), cancelled).addKeyValue("by", by).log("a pipeline run was cancelled");
        return cancelled;
    }

    /**
     * What is tried again.
     *
     * @param tasks how many had failed and get another chance
     */
    public record Retried(PipelineRun run, long tasks) {}

    /**
     * Gives failed tasks another chance, with all attempts, and opens the run again where it has failed.
     *
     * @param stage of which; null for all
     * @param only some of them; null for all
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
            List<PipelineTask> first = tasks.lockFailed(id, from, to, only, 1);
            if (first.isEmpty()) {
                throw OrthException.of(ErrorCode.CONFLICT, "pipeline run %d has no such failed task".formatted(id));
            }
            reopen(run, first.get(0).stage(), to, stage, only, by);
            return tasks.countFailed(id, from, to, only);
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
        Instant at = pipelines.now();
        new Reopening(jdbc).note(run, from, to, only);
        if (run.status() == PipelineRunStatus.FAILED) {
            runs.move(
                    List.of(new PipelineRunMove(
                            run.id(),
                            PipelineRunStatus.FAILED,
                            PipelineRunStatus.RUNNING,
                            PipelineRunCause.RETRIED,
                            null)),
                    at);
        }
        log.append(
                List.of(new ExecutionLog.Line(
                        run.id(), null, ExecutionLog.STEP, JsonText.object("retriedBy", by, "stage", stage))),
                at);
        Transactions.afterCommit(() -> reconcile.accept(run.id()));
    }

    /**
     * Has parked entries of one run sent again. Tasks that failed because of them get all attempts again, and the run is opened again
     * where it has failed. In the caller's transaction.
     *
     * @return how many were parked
     */
    int redrive(long id, List<Long> entries, String by) {
        Optional<PipelineRun> run = runs.lock(id);
        List<OutboxEntry> parked = outbox.parked(entries);
        Map<Long, PipelineTask> of =
                tasks.find(parked.stream().map(OutboxEntry::taskId).toList());
        List<PipelineTask> failed = of.values().stream()
                .filter(task -> task.status() == PipelineTaskStatus.FAILED)
                .toList();
        List<Long> again = failed.stream().map(PipelineTask::id).toList();
        if (!failed.isEmpty() && run.filter(PipelineRuns::canBeRetried).isPresent()) {
            reopen(
                    run.get(),
                    failed.stream().mapToInt(PipelineTask::stage).min().orElseThrow(),
                    failed.stream().mapToInt(PipelineTask::stage).max().orElseThrow(),
                    null,
                    again,
                    by);
            // The retry promises them anew.
            outbox.drop(again);
        }
        List<Long> pending = parked.stream()
                .filter(entry -> !again.contains(entry.taskId()))
                .map(OutboxEntry::id)
                .toList();
        outbox.redrive(pending);
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
