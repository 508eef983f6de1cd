package io.orth.admin.pipeline;

import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.pipeline.OutboxRepository.Wanted;
import io.orth.admin.pipeline.TaskRepository.Proposal;
import io.orth.protocol.TaskChild;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Starts and ends attempts at tasks in one transaction: what is collected is written by {@link #end} in few statements. The caller has
 * entered the runs, locked the tasks and checked that they are as it expects.
 */
final class TaskEndings {

    /** The error of an attempt whose executor is dead or does not have it. */
    static final String LOST = problem("LOST", "its executor is gone or has forgotten it", null);

    private static final int MOST_RESULT = 8_192;
    private static final int MOST_CHILDREN = 10_000;
    private static final int LONGEST_CODE = 64;
    private static final int LONGEST_MESSAGE = 1_000;

    /** What belongs to one stage of one run. */
    private record Place(long root, int stage, int stageId) {}

    private final PipelineRunRepository runs;
    private final TaskRepository tasks;
    private final OutboxRepository outbox;
    private final ExecutionLog log;
    private final Map<Long, PipelineRun> entered;
    private final TaskStep step;
    private final List<TaskMove> claims = new ArrayList<>();
    private final List<TaskMove> starts = new ArrayList<>();
    private final List<TaskMove> ends = new ArrayList<>();
    private final Map<Long, PipelineRunMove> opened = new HashMap<>();
    private final List<ExecutionLog.Line> lines = new ArrayList<>();
    private final List<Proposal> proposals = new ArrayList<>();
    private final Map<Place, List<Wanted>> sendings = new HashMap<>();

    /** @param entered the runs of all tasks that are started and ended */
    TaskEndings(
            JdbcClient jdbc,
            StateChanges journal,
            PipelineMetrics metrics,
            TaskRepository tasks,
            OutboxRepository outbox,
            Map<Long, PipelineRun> entered,
            Instant at) {
        this.runs = new PipelineRunRepository(jdbc, journal);
        this.tasks = tasks;
        this.outbox = outbox;
        this.log = new ExecutionLog(jdbc);
        this.entered = entered;
        this.step = new TaskStep(jdbc, journal, metrics, at);
    }

    Instant at() {
        return step.at();
    }

    Stage stageOf(PipelineTask task) {
        return entered.get(task.rootId()).stages().get(task.stage());
    }

    /** A pending task is claimed, and runs: the executor starts what it claims. The first one opens its run. */
    void start(PipelineTask task, int attempt, Fence claim) {
        claims.add(TaskMove.claimed(task.id(), attempt, claim));
        starts.add(TaskMove.begun(task.id(), attempt, claim));
        say(
                task,
                ExecutionLog.START,
                "{\"attempt\":%d,\"executorId\":\"%d\",\"logId\":\"%d\"}"
                        .formatted(attempt, claim.executorId(), claim.claimId()));
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

    /** These are sent again when they may start; the message that carried them is of no use any more. */
    void sendLater(List<PipelineTask> held) {
        held.forEach(
                task -> send(new Wanted(task.id(), task.attempts() + 1, task.maxAttempts() - task.attempts()), task));
    }

    /** Promises a message for this task. */
    void send(Wanted wanted, PipelineTask task) {
        sendings.computeIfAbsent(new Place(task.rootId(), task.stage(), task.stageId()), any -> new ArrayList<>())
                .add(wanted);
    }

    boolean hasSendings() {
        return !sendings.isEmpty();
    }

    /** A result that goes too far fails the task. */
    void succeed(PipelineTask task, String result, List<TaskChild> children, long runMillis) {
        PipelineRun run = entered.get(task.rootId());
        String refusal = refusal(task, run, result, children);
        if (refusal != null) {
            fail(task, PipelineTaskCause.FAILED_FOR_GOOD, refusal, runMillis);
            return;
        }
        Set<List<String>> known = new HashSet<>();
        List<Proposal> proposed = new ArrayList<>();
        for (TaskChild child : children) {
            if (known.add(List.of(child.targetType(), child.targetId()))) {
                try {
                    proposed.add(new Proposal(
                            run.id(),
                            task.stage() + 1,
                            task.id(),
                            new Target(child.targetType(), child.targetId(), child.params(), child.meta())));
                } catch (OrthException e) {
                    fail(
                            task,
                            PipelineTaskCause.FAILED_FOR_GOOD,
                            problem("BAD_CHILD", e.getMessage(), null),
                            runMillis);
                    return;
                }
            }
        }
        proposals.addAll(proposed);
        startIfClaimed(task);
        ends.add(TaskMove.completed(task.id(), task.attempts(), task.claim(), result));
        say(
                task,
                ExecutionLog.SUMMARY,
                "{\"attempt\":%d,\"runMillis\":%d,\"children\":%d}"
                        .formatted(task.attempts(), runMillis, proposed.size()));
    }

    /** Why a result that says that all went well is not taken so; null where it is. */
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

    /** The attempt has failed, and a message brings the next one. */
    void again(PipelineTask task, PipelineTaskCause why, String problem, long runMillis) {
        ends.add(TaskMove.again(task.id(), task.status(), task.attempts(), task.claim(), why, problem));
        sayFailed(task, true, runMillis, problem);
    }

    /** The executor had not started the attempt, which does not count. */
    void giveBack(PipelineTask task) {
        ends.add(TaskMove.returned(task.id(), task.status(), task.attempts(), task.claim()));
    }

    void fail(PipelineTask task, PipelineTaskCause why, String problem, long runMillis) {
        startIfClaimed(task);
        ends.add(TaskMove.failed(task.id(), task.attempts(), task.claim(), why, problem));
        sayFailed(task, false, runMillis, problem);
    }

    /** Its executor would have reported the start apart from the claim, and has reported the end. */
    private void startIfClaimed(PipelineTask task) {
        if (task.status() == PipelineTaskStatus.CLAIMED) {
            starts.add(TaskMove.begun(task.id(), task.attempts(), task.claim()));
        }
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
        runs.move(opened.values(), step.at());
        tasks.propose(proposals);
        sendings.forEach((place, wanted) ->
                outbox.add(entered.get(place.root()), place.stage(), place.stageId(), wanted, step.at()));
        log.append(lines, step.at());
        step.end();
    }

    private void move(List<TaskMove> moves) {
        if (step.move(moves).size() != moves.size()) {
            throw new IllegalStateException("tasks that were locked have moved");
        }
    }

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
