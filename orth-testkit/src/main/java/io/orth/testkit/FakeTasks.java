package io.orth.testkit;

import io.orth.protocol.AdminPaths;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Reply;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskContentReply;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import io.orth.protocol.TaskVerdict;
import io.orth.protocol.WireMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** The tasks of a {@link FakeAdmin}: sends them with messages of its queues, and remembers what is reported about them. */
public final class FakeTasks {

    private static final int MAX_ATTEMPTS = 3;

    private final FakeQueues queues;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final Map<Long, Long> messages = new HashMap<>();
    private final Map<Long, TaskVerdict> over = new HashMap<>();
    private final List<String> heldBack = new ArrayList<>();
    private final Map<Long, Set<String>> refs = new HashMap<>();
    private final List<TaskContent.Item> content = new ArrayList<>();
    private final List<TaskSteps> stepRequests = new ArrayList<>();
    private final List<TaskSteps.Item> steps = new ArrayList<>();
    private Predicate<String> losing = path -> false;
    private long lastId;

    FakeTasks(FakeQueues queues) {
        this.queues = queues;
    }

    /** Sends the first attempt at a task of the stage's usual queue, about target {@code t-n} with n its id, which counts from 1. */
    public ClaimedMessage send(String pipeline, String stage, String params) {
        long id = nextId();
        return send(
                "pipeline.%s.%s".formatted(pipeline, stage),
                new ClaimedTask(
                        id,
                        1,
                        MAX_ATTEMPTS,
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
                        List.of()));
    }

    /** Sends an attempt at a task. */
    public ClaimedMessage send(String queue, ClaimedTask task) {
        ClaimedMessage message = queues.push(
                queue,
                "{\"taskId\":%d,\"attempt\":%d}".formatted(task.taskId(), task.attempt()),
                Map.of("traceparent", "00-%s-00f067aa0ba902b7-01".formatted(task.traceId())),
                task);
        change(() -> messages.put(task.taskId(), message.id()));
        return message;
    }

    private long nextId() {
        lock.lock();
        try {
            return ++lastId;
        } finally {
            lock.unlock();
        }
    }

    /** From now on content and steps of this task do not count. */
    public void over(long taskId, TaskVerdict verdict) {
        change(() -> over.put(taskId, verdict));
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

    /** What was recorded, each once. */
    public List<TaskContent.Item> content() {
        return snapshot(content);
    }

    public List<TaskSteps.Item> steps() {
        return snapshot(steps);
    }

    /** All requests about steps that have come, also those that are held back. */
    public List<TaskSteps> stepRequests() {
        return snapshot(stepRequests);
    }

    /** The result of the message that carried the task last. */
    public MessageResult awaitResult(long taskId) {
        return queues.awaitResult(messageOf(taskId));
    }

    private long messageOf(long taskId) {
        lock.lock();
        try {
            return messages.get(taskId);
        } finally {
            lock.unlock();
        }
    }

    static boolean serves(String path) {
        return path.startsWith("/api/orth/tasks/");
    }

    byte[] answer(String path, byte[] body) {
        lock.lock();
        try {
            // That it has come is seen also while it is held back.
            if (path.equals(AdminPaths.TASK_STEPS)) {
                stepRequests.add(TaskSteps.from(Json.readObject(body)));
                changed.signalAll();
            }
            while (heldBack.contains(path)) {
                changed.awaitUninterruptibly();
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
            case AdminPaths.TASK_CONTENT ->
                Reply.lean(new TaskContentReply(TaskContent.from(body).items().stream()
                        .map(item -> new TaskContentReply.Item(item.taskId(), item.ref(), keep(item)))
                        .toList()));
            case AdminPaths.TASK_STEPS ->
                Reply.lean(new TaskStepsReply(TaskSteps.from(body).items().stream()
                        .map(item -> new TaskStepsReply.Item(item.taskId(), keep(item)))
                        .toList()));
            default -> Reply.fail("there is no " + path);
        };
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
}
