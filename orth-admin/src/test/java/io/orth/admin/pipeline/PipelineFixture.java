package io.orth.admin.pipeline;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.AdminFixture;
import io.orth.admin.alarm.AlarmFixture;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.registry.Target;
import io.orth.protocol.BegunTask;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskBegin;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskFinish;
import io.orth.protocol.TaskKey;
import io.orth.protocol.TaskResult;
import io.orth.protocol.TaskVerdict;
import io.orth.runtime.Duty.Pass;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Pipelines over a test's database, and an executor's side of them. */
public final class PipelineFixture {

    static final PipelineProperties PROPERTIES = properties(Map.of());

    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    public final Pipelines pipelines;
    public final PipelineRuns runs;
    public final PipelineTasks tasks;
    public final TaskDesk desk;
    public final Outbox outbox;
    public final PipelineReconciler reconciler;
    final PipelineParts parts;
    final OutboxDispatcher dispatcher;
    final TaskRescuer rescuer;
    final AlarmFixture alarms;
    private final AdminFixture admin;

    public PipelineFixture(AdminFixture admin) {
        this(admin, PROPERTIES);
    }

    PipelineFixture(AdminFixture admin, PipelineProperties properties) {
        this.admin = admin;
        this.alarms = new AlarmFixture(admin);
        parts = new PipelineParts(
                admin.jdbc,
                admin.changes,
                admin.transactions,
                admin.runIds,
                admin.queues.queues,
                alarms.alarms,
                admin.systemLog,
                new PipelineMetrics(meters),
                properties,
                () -> {});
        pipelines = parts.pipelines();
        runs = parts.runs();
        tasks = new PipelineTasks(admin.jdbc);
        desk = parts.desk();
        outbox = parts.outbox();
        reconciler = parts.reconciler();
        dispatcher = parts.dispatcher();
        rescuer = parts.rescuer();
    }

    public static PipelineTasks tasks(JdbcClient jdbc) {
        return new PipelineTasks(jdbc);
    }

    static PipelineProperties properties(Map<String, PipelineProperties.Webhook> webhooks) {
        return new PipelineProperties(
                Duration.ofHours(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Duration.ofDays(90),
                new PipelineProperties.Outbox(
                        Duration.ofMillis(500),
                        1_000,
                        3,
                        new PipelineProperties.Outbox.Delays(Duration.ofMillis(1), 2, Duration.ofMillis(1), 0),
                        Duration.ofMinutes(5),
                        Duration.ofHours(1)),
                webhooks);
    }

    static Stage stage(String name) {
        return stage(name, Tolerance.ALL);
    }

    static Stage stage(String name, Tolerance tolerance) {
        return new Stage(
                name,
                name + "Handler",
                "q." + name,
                null,
                3,
                new Backoff(Duration.ZERO, 1, Duration.ZERO, 0),
                null,
                tolerance);
    }

    public Pipeline define(String name, String... stages) {
        return define(name, Stream.of(stages).map(PipelineFixture::stage).toArray(Stage[]::new));
    }

    Pipeline define(String name, Stage... stages) {
        return pipelines
                .put(new PipelineSpec(name, "", List.of(stages), null), "ann")
                .pipeline();
    }

    public long submit(String pipeline, String... targets) {
        return runs.submit(submission(pipeline, null, targets)).run().id();
    }

    static Submission submission(String pipeline, String key, String... targets) {
        return new Submission(
                pipeline,
                "{}",
                "{}",
                Map.of(),
                Stream.of(targets)
                        .map(id -> new io.orth.admin.pipeline.Target("course", id, null, Map.of("language", "en")))
                        .toList(),
                key,
                "ann",
                "0af7651916cd43dd8448eb211c80319c");
    }

    /** Sends all that is due. */
    public void dispatch() {
        while (dispatcher.run() == Pass.MORE) {
            // Until nothing is left.
        }
    }

    /** Reconciles until nothing is left to be done at once. */
    public void reconcile() {
        admin.jdbc
                .sql("update orth_pipeline_run set look_at = clock_timestamp()")
                .update();
        while (reconciler.run() == Pass.MORE) {
            // Until nothing is left.
        }
    }

    /** One pass over a run by somebody who has it alone and found this before. */
    Reconciliation pass(long root, Suspicion suspicion) {
        RootPass pass = new RootPass(
                admin.jdbc,
                admin.changes,
                new PipelineMetrics(meters),
                admin.queues.queues,
                new TaskRepository(admin.jdbc, admin.runIds),
                new OutboxRepository(admin.jdbc, admin.runIds),
                failedRuns(),
                PROPERTIES);
        return admin.transactions.call(() -> {
            long locked = new PipelineRunRepository(admin.jdbc, admin.changes)
                    .lock(root)
                    .orElseThrow()
                    .id();
            return pass.run(locked, suspicion);
        });
    }

    FailedRunReports failedRuns() {
        return new FailedRunReports(
                alarms.alarms, admin.systemLog, admin.queues.queues, new TaskRepository(admin.jdbc, admin.runIds));
    }

    /** What an executor gets of a stage. */
    public List<ClaimedMessage> receive(String stage, Target executor, int slots) {
        return admin.queues.claim("q." + stage, executor.executorId(), slots);
    }

    public static TaskKey keyOf(ClaimedMessage message) {
        JsonObject payload = Json.readObject(message.payload().getBytes(StandardCharsets.UTF_8));
        return new TaskKey(payload.requiredNumber("taskId"), payload.requiredInteger("attempt"), message.logId());
    }

    public List<BegunTask> begin(Target executor, List<TaskKey> keys) {
        return desk.begin(group(executor), executor.executorId(), new TaskBegin("i", keys))
                .tasks();
    }

    private int group(Target executor) {
        return admin.jdbc
                .sql("select group_id from orth_executor where id = :id")
                .param("id", executor.executorId())
                .query(Integer.class)
                .single();
    }

    public TaskVerdict finish(Target executor, TaskResult result) {
        return desk.finish(executor.executorId(), new TaskFinish("i", List.of(result)))
                .results()
                .get(0)
                .verdict();
    }

    public TaskVerdict content(Target executor, TaskKey key, String ref) {
        return desk.content(
                        executor.executorId(),
                        new TaskContent("i", List.of(new TaskContent.Item(key.taskId(), key.attempt(), ref, 10, null))))
                .items()
                .get(0)
                .verdict();
    }

    static TaskResult ok(TaskKey key, String... children) {
        return TaskResult.ok(
                key.taskId(),
                key.attempt(),
                "{\"n\":1}",
                Stream.of(children)
                        .map(child -> new TaskChild("chapter", child, "{\"p\":1}", Map.of("language", "en")))
                        .toList(),
                5);
    }

    static TaskResult failed(TaskKey key) {
        return failed(key, TaskResult.Outcome.FAILED);
    }

    static TaskResult failed(TaskKey key, TaskResult.Outcome how) {
        return new TaskResult(
                key.taskId(),
                key.attempt(),
                how,
                null,
                List.of(),
                new TaskResult.Problem("NO_LUCK", "it did not work", "because"),
                null,
                5);
    }

    /** Dispatches, receives and begins all of a stage that is due; the messages are done, as the executor has the tasks now. */
    public List<TaskKey> work(String stage, Target executor) {
        dispatch();
        List<TaskKey> begun = new ArrayList<>();
        List<ClaimedMessage> messages;
        do {
            messages = receive(stage, executor, 1_000);
            if (!messages.isEmpty()) {
                begin(executor, messages.stream().map(PipelineFixture::keyOf).toList()).stream()
                        .filter(BegunTask::isToRun)
                        .forEach(task -> begun.add(new TaskKey(task.taskId(), task.attempt(), 0)));
                admin.queues.report(
                        "q." + stage,
                        executor.executorId(),
                        messages.stream()
                                .map(message -> new MessageResult(
                                        message.id(), message.logId(), Codes.SUCCESS, null, false, null, 1))
                                .toArray(MessageResult[]::new));
            }
        } while (!messages.isEmpty());
        return begun;
    }

    /** The admin dies after a task was claimed. */
    public void claimOnly(Target executor, long task, int attempt) {
        admin.transactions.run(() -> {
            TaskStep step = new TaskStep(
                    admin.jdbc, admin.changes, new PipelineMetrics(meters), new RootRepository(admin.jdbc).now());
            step.move(List.of(TaskMove.claimed(task, attempt, executor.executorId(), 7)));
            step.end();
        });
    }

    public void rescue() {
        while (rescuer.run() == Pass.MORE) {
            // Until nothing is left.
        }
    }

    public PipelineRunStatus statusOf(long run) {
        return runs.get(run).status();
    }

    public List<String> tasksOf(long run, int stage) {
        return tasks.list(new PipelineTasks.Filter(run, stage, null, null, null, null, 0, 10_000)).stream()
                .map(task -> task.targetId() + " " + task.status())
                .toList();
    }

    public List<String> journalOf(EntityKind kind, long id) {
        return admin.journal.list(kind, id).stream()
                .map(t -> "%s->%s %s".formatted(t.from(), t.to(), t.cause()))
                .toList();
    }

    double repairs(Repair kind) {
        return meters.get("reconciler.repairs")
                .tag("kind", kind.name())
                .counter()
                .count();
    }
}
