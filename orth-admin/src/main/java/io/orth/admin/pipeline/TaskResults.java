package io.orth.admin.pipeline;

import io.orth.admin.kernel.DatabaseTrouble;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import io.orth.admin.pipeline.TaskRepository.Proposal;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskFinishReply;
import io.orth.protocol.TaskResult;
import io.orth.protocol.TaskVerdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Ends attempts at tasks. What was made, the task's status, its summary, the children it proposes and the promise of a next attempt
 * are one transaction, and count only while the task is at this attempt and with this executor.
 */
final class TaskResults {

    private static final int MOST_RESULT = 8_192;
    private static final int MOST_CHILDREN = 10_000;

    private final JdbcClient jdbc;
    private final StateChanges journal;
    private final PipelineMetrics metrics;
    private final Transactions transactions;
    private final PipelineRepository pipelines;
    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final OutboxRepository outbox;
    private final ExecutionLog log;

    TaskResults(
            JdbcClient jdbc,
            StateChanges journal,
            PipelineMetrics metrics,
            Transactions transactions,
            TaskRepository tasks,
            OutboxRepository outbox) {
        this.jdbc = jdbc;
        this.journal = journal;
        this.metrics = metrics;
        this.transactions = transactions;
        this.pipelines = new PipelineRepository(jdbc);
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = tasks;
        this.outbox = outbox;
        this.log = new ExecutionLog(jdbc);
    }

    /** What came of a batch of results. */
    record Finished(List<TaskFinishReply.Item> verdicts, Set<Long> roots) {}

    /** What the database has no form for fails its own task, and no other. Where the database is in trouble, none fails. */
    Finished finish(long executor, List<TaskResult> results) {
        try {
            return finishAll(executor, results);
        } catch (DataAccessException e) {
            if (!DatabaseTrouble.isOfTheData(e)) {
                throw e;
            }
            if (results.size() == 1) {
                return finishAll(executor, List.of(unfit(results.get(0))));
            }
            List<TaskFinishReply.Item> verdicts = new ArrayList<>();
            Set<Long> roots = new HashSet<>();
            for (TaskResult result : results) {
                Finished one = finish(executor, List.of(result));
                verdicts.addAll(one.verdicts());
                roots.addAll(one.roots());
            }
            return new Finished(verdicts, roots);
        }
    }

    private static TaskResult unfit(TaskResult result) {
        return new TaskResult(
                result.taskId(),
                result.attempt(),
                TaskResult.Outcome.PERMANENT,
                null,
                List.of(),
                new TaskResult.Problem("BAD_RESULT", "its result or a child cannot be stored", null),
                null,
                result.runMillis());
    }

    private Finished finishAll(long executor, List<TaskResult> results) {
        return transactions.call(() -> {
            List<Long> ids = results.stream().map(TaskResult::taskId).distinct().toList();
            Map<Long, PipelineRun> entered = runs.enter(tasks.rootsOf(ids));
            Map<Long, PipelineTask> found = tasks.lock(ids);
            Ending ending = new Ending(entered, executor, new TaskStep(jdbc, journal, metrics, pipelines.now()));
            List<TaskFinishReply.Item> verdicts = results.stream()
                    .map(result -> new TaskFinishReply.Item(
                            result.taskId(), result.attempt(), ending.take(found.get(result.taskId()), result)))
                    .toList();
            ending.end();
            return new Finished(verdicts, entered.keySet());
        });
    }

    /** What belongs to one stage of one run. */
    private record Place(long root, int stage, int stageId) {}

    /** All that one batch does, collected to be written at once. */
    private final class Ending {

        private final Map<Long, PipelineRun> entered;
        private final long executor;
        private final TaskStep step;
        private final Map<Long, TaskMove> moves = new LinkedHashMap<>();
        private final List<ExecutionLog.Line> lines = new ArrayList<>();
        private final List<Proposal> proposals = new ArrayList<>();
        private final Map<Place, List<Wanted>> again = new HashMap<>();

        private Ending(Map<Long, PipelineRun> entered, long executor, TaskStep step) {
            this.entered = entered;
            this.executor = executor;
            this.step = step;
        }

        private TaskVerdict take(PipelineTask task, TaskResult result) {
            if (task == null) {
                return TaskVerdict.STALE;
            }
            PipelineRun run = entered.get(task.rootId());
            if (task.status() == PipelineTaskStatus.CANCELLED || run.status() == PipelineRunStatus.CANCELLED) {
                return TaskVerdict.CANCELLED;
            }
            if (task.status() != PipelineTaskStatus.RUNNING
                    || !task.isWith(executor, result.attempt())
                    || moves.containsKey(task.id())) {
                return TaskVerdict.STALE;
            }
            if (result.outcome() == TaskResult.Outcome.OK) {
                succeed(task, run, result);
            } else {
                boolean forGood = result.outcome() == TaskResult.Outcome.PERMANENT;
                fail(task, run, result, forGood, problem(result));
            }
            return TaskVerdict.RECORDED;
        }

        private void succeed(PipelineTask task, PipelineRun run, TaskResult result) {
            String refusal = refusal(task, run, result);
            if (refusal != null) {
                fail(task, run, result, true, refusal);
                return;
            }
            Set<List<String>> known = new HashSet<>();
            List<Proposal> proposed = new ArrayList<>();
            for (TaskChild child : result.children()) {
                if (known.add(List.of(child.targetType(), child.targetId()))) {
                    try {
                        proposed.add(new Proposal(
                                run.id(),
                                task.stage() + 1,
                                task.id(),
                                new Target(child.targetType(), child.targetId(), child.params(), child.meta())));
                    } catch (OrthException e) {
                        fail(task, run, result, true, problem("BAD_CHILD", e.getMessage(), null));
                        return;
                    }
                }
            }
            proposals.addAll(proposed);
            moves.put(task.id(), TaskMove.completed(task.id(), result.attempt(), executor, result.result()));
            say(
                    task,
                    ExecutionLog.SUMMARY,
                    JsonText.object(
                            "attempt", result.attempt(),
                            "runMillis", result.runMillis(),
                            "children", proposed.size()));
        }

        /** Why a result that says that all went well is not taken so; null where it is. */
        private String refusal(PipelineTask task, PipelineRun run, TaskResult result) {
            if (!JsonText.fits(result.result(), MOST_RESULT)) {
                return problem(
                        "RESULT_TOO_LARGE", "the result must be JSON of at most %d bytes".formatted(MOST_RESULT), null);
            }
            if (result.children().size() > MOST_CHILDREN) {
                return problem(
                        "TOO_MANY_CHILDREN", "a task proposes at most %d children".formatted(MOST_CHILDREN), null);
            }
            if (!result.children().isEmpty() && task.stage() == run.stages().size() - 1) {
                return problem(
                        "NO_NEXT_STAGE",
                        "stage %s is the last: there is none for children"
                                .formatted(run.stages().get(task.stage()).name()),
                        null);
            }
            return null;
        }

        private void fail(PipelineTask task, PipelineRun run, TaskResult result, boolean forGood, String problem) {
            RetryPolicy policy = new RetryPolicy(
                    task.maxAttempts(), run.stages().get(task.stage()).backoff());
            Duration requested =
                    result.retryAfterMillis() == null ? null : Duration.ofMillis(result.retryAfterMillis());
            RetryDecision decision = RetryDecision.next(policy, task.attempts(), requested, forGood);
            if (decision.isRetry()) {
                moves.put(
                        task.id(),
                        TaskMove.again(
                                task.id(),
                                PipelineTaskStatus.RUNNING,
                                result.attempt(),
                                executor,
                                PipelineTaskCause.FAILED,
                                problem));
                again.computeIfAbsent(new Place(run.id(), task.stage(), task.stageId()), any -> new ArrayList<>())
                        .add(new Wanted(
                                task.id(), task.attempts() + 1, step.at().plus(decision.delay())));
            } else {
                PipelineTaskCause why = forGood ? PipelineTaskCause.FAILED_FOR_GOOD : PipelineTaskCause.EXHAUSTED;
                moves.put(task.id(), TaskMove.failed(task.id(), result.attempt(), executor, why, problem));
            }
            say(
                    task,
                    ExecutionLog.ERROR,
                    "{\"attempt\":%d,\"retried\":%b,\"runMillis\":%d,\"error\":%s}"
                            .formatted(result.attempt(), decision.isRetry(), result.runMillis(), problem));
        }

        private void say(PipelineTask task, String phase, String payload) {
            lines.add(new ExecutionLog.Line(task.rootId(), task.id(), phase, payload));
        }

        private void end() {
            Set<Long> moved = step.move(moves.values());
            if (moved.size() != moves.size()) {
                throw new IllegalStateException("tasks that were locked have moved");
            }
            tasks.propose(proposals);
            again.forEach((place, wanted) ->
                    outbox.add(entered.get(place.root()), place.stage(), place.stageId(), wanted, step.at()));
            log.append(lines, step.at());
            step.end();
        }
    }

    private static String problem(TaskResult result) {
        return result.error() == null
                ? problem("FAILED", "", null)
                : problem(
                        result.error().code(),
                        result.error().message(),
                        result.error().detail());
    }

    private static final int LONGEST_CODE = 64;
    private static final int LONGEST_MESSAGE = 1_000;

    /** As it fits, without the character that the database has no place for. */
    static String problem(String code, String message, String detail) {
        return JsonText.object(
                "code", cut(code, LONGEST_CODE),
                "message", cut(message, LONGEST_MESSAGE),
                "detail", cut(detail, MOST_RESULT));
    }

    private static String cut(String text, int longest) {
        if (text == null) {
            return null;
        }
        String shortened = text.length() <= longest ? text : text.substring(0, longest);
        // Halves of characters have no form in UTF-8; the one that a cut leaves neither.
        return new String(shortened.replace("\0", "").getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
