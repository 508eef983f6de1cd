package io.orth.admin.pipeline;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import io.orth.admin.pipeline.TaskRepository.Proposal;
import io.orth.protocol.TaskChild;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Unit of work that starts and finishes attempts at tasks in one transaction. {@link #end} writes everything collected in few statements.
 * The caller checks that the tasks are in the expected status.
 */
final class TaskEndings {

    /** The error of an attempt whose executor is dead or does not have it. */
    static final String LOST = problem("LOST", "its executor is gone or has forgotten it", null);

    private static final int MOST_RESULT = 8_192;
    private static final int MOST_CHILDREN = 10_000;
    private static final int LONGEST_CODE = 64;
    private static final int LONGEST_MESSAGE = 1_000;

    /** The runs of the tasks by id, locked for key share so that they cannot be finished meanwhile. */
    final Map<Long, PipelineRun> runs;

    /** The locked tasks, by id. */
    final Map<Long, PipelineTask> tasks;

    private final PipelineTables tables;
    private final TaskStep step;
    private final List<TaskMove> claims = new ArrayList<>();
    private final List<TaskMove> starts = new ArrayList<>();
    private final List<TaskMove> ends = new ArrayList<>();
    private final Map<Long, PipelineRunMove> opened = new HashMap<>();
    private final List<ExecutionLog.Line> lines = new ArrayList<>();
    private final List<Proposal> proposals = new ArrayList<>();
    private final Map<Long, List<Wanted>> sendings = new HashMap<>();

    /**
     * Locks the runs for key share, then the tasks.
     *
     * @param at the time of all transitions; null for the time when the locks are held
     */
    TaskEndings(PipelineTables tables, Collection<Long> ids, Instant at) {
        this.tables = tables;
        this.runs = tables.runs.enter(tables.tasks.rootsOf(ids));
        this.tasks = tables.tasks.lock(ids);
        this.step = tables.step(at == null ? tables.now() : at);
    }

    PipelineRun runOf(PipelineTask task) {
        return runs.get(task.rootId());
    }

    Stage stageOf(PipelineTask task) {
        return runOf(task).stages().get(task.stage());
    }

    /**
     * Claims a pending task and sets it to RUNNING, because an executor starts what it claims. The first claimed task sets its run to
     * RUNNING. Returns the task with its new status.
     */
    PipelineTask start(PipelineTask task, int attempt, Fence claim) {
        PipelineTask claimed = task.under(PipelineTaskStatus.CLAIMED, attempt, claim);
        claims.add(new TaskMove(
                task.id(), task.status(), claimed.status(), PipelineTaskCause.CLAIMED, attempt, claim, null, 0));
        say(
                task,
                ExecutionLog.START,
                "{\"attempt\":%d,\"executorId\":\"%d\",\"logId\":\"%d\"}"
                        .formatted(attempt, claim.executorId(), claim.claimId()));
        PipelineRun run = runOf(task);
        if (run.status() == PipelineRunStatus.PENDING) {
            opened.put(run.id(), PipelineRunMove.of(run, PipelineRunStatus.RUNNING, PipelineRunCause.BEGUN));
        }
        return started(claimed);
    }

    /** Adds an outbox entry for this task. */
    void send(PipelineTask task, Wanted wanted) {
        sendings.computeIfAbsent(task.rootId(), any -> new ArrayList<>()).add(wanted);
    }

    boolean hasSendings() {
        return !sendings.isEmpty();
    }

    /** Completes the task; fails it if the result or the children exceed a limit. */
    void succeed(PipelineTask task, String result, List<TaskChild> children, long runMillis) {
        String refusal = refusal(task, runOf(task), result, children);
        if (refusal != null) {
            fail(task, PipelineTaskCause.FAILED_FOR_GOOD, refusal, runMillis);
            return;
        }
        List<Proposal> proposed;
        try {
            proposed = proposals(task, children);
        } catch (OrthException e) {
            fail(task, PipelineTaskCause.FAILED_FOR_GOOD, problem("BAD_CHILD", e.getMessage(), null), runMillis);
            return;
        }
        proposals.addAll(proposed);
        ends.add(TaskMove.of(started(task), PipelineTaskStatus.COMPLETED, PipelineTaskCause.COMPLETED, result));
        say(
                task,
                ExecutionLog.SUMMARY,
                "{\"attempt\":%d,\"runMillis\":%d,\"children\":%d}"
                        .formatted(task.attempts(), runMillis, proposed.size()));
    }

    /** Returns the proposals, without duplicate children. */
    private static List<Proposal> proposals(PipelineTask task, List<TaskChild> children) {
        Set<List<String>> known = new HashSet<>();
        return children.stream()
                .filter(child -> known.add(List.of(child.targetType(), child.targetId())))
                .map(child -> new Proposal(
                        task.rootId(),
                        task.stage() + 1,
                        task.id(),
                        new Target(child.targetType(), child.targetId(), child.params(), child.meta())))
                .toList();
    }

    /** Returns why a successful result is rejected, as an error document; null if it is accepted. */
    private static String refusal(PipelineTask task, PipelineRun run, String result, List<TaskChild> children) {
        if (!JsonText.fits(result, MOST_RESULT)) {
            return problem(
                    "RESULT_TOO_LARGE", "the result must be JSON of at most %d bytes".formatted(MOST_RESULT), null);
        }
        if (children.size() > MOST_CHILDREN) {
            return problem("TOO_MANY_CHILDREN", "a task proposes at most %d children".formatted(MOST_CHILDREN), null);
        }
        if (!children.isEmpty() && task.stage() == run.stages().size() - 1) {
            return problem(
                    "NO_NEXT_STAGE",
                    "stage %s is the last: there is none for children"
                            .formatted(run.stages().get(task.stage()).name()),
                    null);
        }
        return null;
    }

    /** Sets the task to PENDING after a failed attempt. The caller ensures that a message follows. */
    void again(PipelineTask task, PipelineTaskCause why, String problem, long runMillis) {
        ends.add(TaskMove.of(task, PipelineTaskStatus.PENDING, why, problem));
        sayFailed(task, true, runMillis, problem);
    }

    /** Sets the task to PENDING after the executor returned it without starting the attempt, which does not count. */
    void giveBack(PipelineTask task) {
        ends.add(TaskMove.of(task, PipelineTaskStatus.PENDING, PipelineTaskCause.RETURNED, null)
                .granting(-1));
    }

    void fail(PipelineTask task, PipelineTaskCause why, String problem, long runMillis) {
        ends.add(TaskMove.of(started(task), PipelineTaskStatus.FAILED, why, problem));
        sayFailed(task, false, runMillis, problem);
    }

    /** Returns the task with status RUNNING. The start is not reported separately, so it is derived from the claim or the result. */
    private PipelineTask started(PipelineTask task) {
        if (task.status() != PipelineTaskStatus.CLAIMED) {
            return task;
        }
        starts.add(TaskMove.of(task, PipelineTaskStatus.RUNNING, PipelineTaskCause.BEGUN, null));
        return task.under(PipelineTaskStatus.RUNNING, task.attempts(), task.claim());
    }

    private void sayFailed(PipelineTask task, boolean retried, long runMillis, String problem) {
        say(
                task,
                ExecutionLog.ERROR,
                "{\"attempt\":%d,\"retried\":%b,\"runMillis\":%d,\"error\":%s}"
                        .formatted(task.attempts(), retried, runMillis, problem));
    }

    private void say(PipelineTask task, String phase, String payload) {
        lines.add(new ExecutionLog.Line(task.rootId(), task.id(), phase, payload));
    }

    /** Writes what was collected. */
    void end() {
        move(claims);
        move(starts);
        move(ends);
        tables.runs.move(opened.values(), step.at());
        tables.tasks.propose(proposals);
        sendings.forEach((root, wanted) -> tables.outbox.add(runs.get(root), wanted, step.at()));
        tables.log.append(lines, step.at());
        step.end();
    }

    private void move(List<TaskMove> moves) {
        if (step.move(moves).size() != moves.size()) {
            throw new IllegalStateException("tasks that were locked have moved");
        }
    }

    /** Returns an error document, with texts cut to their limits and without NUL characters, which PostgreSQL cannot store. */
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
        // Removes unpaired surrogates, also one left by the cut: UTF-8 cannot encode them.
        return new String(shortened.replace("\0", "").getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
