package io.orth.testkit;

import io.orth.protocol.AdminPaths;
import io.orth.protocol.BegunTask;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.Reply;
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
import io.orth.protocol.WireMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The tasks of a {@link FakeAdmin}: sends them by its queues, with the promises of a real admin, and remembers what is said about them. */
public final class FakeTasks {

    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final int MAX_ATTEMPTS = 3;

    private final FakeQueues queues;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Map<Long, BegunTask.Details> tasks = new HashMap<>();
    private final Map<Long, Long> begunBy = new HashMap<>();
    private final Map<Long, String> skipped = new HashMap<>();
    private final Map<Long, TaskVerdict> over = new HashMap<>();
    private final Set<Long> refused = new HashSet<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final List<String> heldBack = new ArrayList<>();
    private final Map<Long, Set<String>> refs = new HashMap<>();
    private final List<TaskBegin> begins = new ArrayList<>();
    private final List<TaskContent.Item> content = new ArrayList<>();
    private final List<TaskSteps.Item> steps = new ArrayList<>();
    private final List<TaskFinish> finishes = new ArrayList<>();
    private Predicate<String> losing = path -> false;
    private long lastId;

    FakeTasks(FakeQueues queues) {
        this.queues = queues;
    }

    /** Sends the first attempt at a task of the stage's usual queue, about target {@code t-n} with n its id, which counts from 1. */
    public ClaimedMessage send(String pipeline, String stage, String params) {
        long id = nextId();
        return send(
                id,
                1,
                "pipeline.%s.%s".formatted(pipeline, stage),
                new BegunTask.Details(
                        1_000,
                        pipeline,
                        stage,
                        stage,
                        stage,
                        "t-" + id,
                        params,
                        Map.of("language", "en"),
                        null,
                        null,
                        "ann",
                        "4bf92f3577b34da6a3ce929d0e0e4736",
                        MAX_ATTEMPTS,
                        List.of()));
    }

    /** Sends an attempt at a task. */
    public ClaimedMessage send(long taskId, int attempt, String queue, BegunTask.Details task) {
        lock.lock();
        try {
            tasks.put(taskId, task);
            begunBy.remove(taskId);
        } finally {
            lock.unlock();
        }
        return queues.push(
                queue,
                "{\"taskId\":%d,\"attempt\":%d}".formatted(taskId, attempt),
                Map.of(
                        "orth.root", Long.toString(task.rootJobId()),
                        "orth.task", Long.toString(taskId),
                        "orth.attempt", Integer.toString(attempt),
                        "orth.pipeline", task.pipeline(),
                        "orth.stage", task.stage(),
                        "traceparent", "00-%s-00f067aa0ba902b7-01".formatted(task.traceId())));
    }

    private long nextId() {
        lock.lock();
        try {
            return ++lastId;
        } finally {
            lock.unlock();
        }
    }

    /** From now on this task is not to be done. */
    public void skip(long taskId, String reason) {
        change(() -> skipped.put(taskId, reason));
    }

    /** From now on nothing that is said about this task counts. */
    public void over(long taskId, TaskVerdict verdict) {
        change(() -> over.put(taskId, verdict));
    }

    /** From now on every request is refused that holds a result of this task that is not a plain one about a refusal. */
    public void refuse(long taskId) {
        change(() -> refused.add(taskId));
    }

    /** The next {@code n} requests to this path are refused. */
    public void failNext(String path, int n) {
        change(() -> failures.put(path, n));
    }

    /** From now on requests to such paths have their effect, but their answers are lost. */
    public void loseAnswersTo(Predicate<String> paths) {
        change(() -> losing = paths);
    }

    /** From now on requests to this path wait until {@link #letGo}. */
    public void holdBack(String path) {
        change(() -> heldBack.add(path));
    }

    public void letGo() {
        change(heldBack::clear);
    }

    public List<TaskBegin> begins() {
        return snapshot(begins);
    }

    /** What was recorded, each once. */
    public List<TaskContent.Item> content() {
        return snapshot(content);
    }

    public List<TaskSteps.Item> steps() {
        return snapshot(steps);
    }

    /** All that were answered, in the order they came. */
    public List<TaskFinish> finishes() {
        return snapshot(finishes);
    }

    public List<TaskResult> results() {
        return finishes().stream().flatMap(finish -> finish.results().stream()).toList();
    }

    public TaskResult awaitResult(long taskId) {
        awaitCondition(
                () -> finishes.stream()
                        .anyMatch(finish -> finish.results().stream().anyMatch(result -> result.taskId() == taskId)),
                "result of task " + taskId);
        return results().stream()
                .filter(result -> result.taskId() == taskId)
                .findFirst()
                .orElseThrow();
    }

    public void awaitBegin(long taskId) {
        awaitCondition(
                () -> begins.stream().anyMatch(begin -> begin.tasks().stream().anyMatch(key -> key.taskId() == taskId)),
                "beginning of task " + taskId);
    }

    public void awaitResults(int count) {
        awaitCondition(
                () -> finishes.stream()
                                .mapToInt(finish -> finish.results().size())
                                .sum()
                        >= count,
                count + " results");
    }

    static boolean serves(String path) {
        return path.startsWith("/api/orth/tasks/");
    }

    byte[] answer(String path, byte[] body) {
        lock.lock();
        try {
            // That it has come is seen also while it is held back.
            if (path.equals(AdminPaths.TASK_BEGIN)) {
                begins.add(TaskBegin.from(Json.readObject(body)));
                changed.signalAll();
            }
            while (heldBack.contains(path)) {
                changed.awaitUninterruptibly();
            }
            int left = failures.getOrDefault(path, 0);
            if (left > 0) {
                failures.put(path, left - 1);
                return Json.write(Reply.fail("told to fail"));
            }
            WireMessage answer = record(path, Json.readObject(body));
            changed.signalAll();
            if (losing.test(path)) {
                throw new FakeQueues.AnswerLostException();
            }
            return Json.write(answer);
        } finally {
            lock.unlock();
        }
    }

    private WireMessage record(String path, JsonObject body) {
        return switch (path) {
            case AdminPaths.TASK_BEGIN ->
                Reply.lean(new TaskBeginReply(
                        TaskBegin.from(body).tasks().stream().map(this::begin).toList()));
            case AdminPaths.TASK_CONTENT ->
                Reply.lean(new TaskContentReply(TaskContent.from(body).items().stream()
                        .map(item -> new TaskContentReply.Item(item.taskId(), item.ref(), keep(item)))
                        .toList()));
            case AdminPaths.TASK_STEPS ->
                Reply.lean(new TaskStepsReply(TaskSteps.from(body).items().stream()
                        .map(item -> new TaskStepsReply.Item(item.taskId(), keep(item)))
                        .toList()));
            case AdminPaths.TASK_FINISH -> finish(TaskFinish.from(body));
            default -> Reply.fail("there is no " + path);
        };
    }

    private BegunTask begin(TaskKey key) {
        if (skipped.containsKey(key.taskId())) {
            return BegunTask.skip(key.taskId(), key.attempt(), skipped.get(key.taskId()));
        }
        BegunTask.Details task = tasks.get(key.taskId());
        if (task == null) {
            return BegunTask.skip(key.taskId(), key.attempt(), "unknown");
        }
        return begunBy.computeIfAbsent(key.taskId(), any -> key.logId()) == key.logId()
                ? BegunTask.run(key.taskId(), key.attempt(), task)
                : BegunTask.skip(key.taskId(), key.attempt(), "stale");
    }

    private TaskVerdict keep(TaskContent.Item item) {
        if (over.containsKey(item.taskId())) {
            return over.get(item.taskId());
        }
        if (!refs.computeIfAbsent(item.taskId(), any -> new HashSet<>()).add(item.ref())) {
            return TaskVerdict.KNOWN;
        }
        content.add(item);
        return TaskVerdict.RECORDED;
    }

    private TaskVerdict keep(TaskSteps.Item item) {
        if (over.containsKey(item.taskId())) {
            return over.get(item.taskId());
        }
        steps.add(item);
        return TaskVerdict.RECORDED;
    }

    private WireMessage finish(TaskFinish finish) {
        if (finish.results().stream().anyMatch(this::isRefused)) {
            return Reply.fail("told to refuse one of these");
        }
        finishes.add(finish);
        return Reply.lean(new TaskFinishReply(finish.results().stream()
                .map(result -> new TaskFinishReply.Item(
                        result.taskId(), result.attempt(), over.getOrDefault(result.taskId(), TaskVerdict.RECORDED)))
                .toList()));
    }

    private boolean isRefused(TaskResult result) {
        boolean aboutARefusal = result.error() != null && result.error().code().equals("RESULT_REFUSED");
        return refused.contains(result.taskId()) && !aboutARefusal;
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private <T> List<T> snapshot(List<T> list) {
        lock.lock();
        try {
            return List.copyOf(list);
        } finally {
            lock.unlock();
        }
    }

    private void awaitCondition(BooleanSupplier condition, String what) {
        lock.lock();
        try {
            long left = PATIENCE.toNanos();
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError("no %s within %s".formatted(what, PATIENCE));
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + what, e);
        } finally {
            lock.unlock();
        }
    }
}
