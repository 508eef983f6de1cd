package io.orth.admin.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.AdminFixture;
import io.orth.admin.alarm.AlarmFixture;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Fence;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.queue.CarriedWork;
import io.orth.admin.registry.Target;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskOutcome;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskVerdict;
import io.orth.runtime.Duty.Pass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Pipelines over a test's database, and the executor's side of them. */
public final class PipelineFixture {

    static final PipelineProperties PROPERTIES = properties(Map.of());

    /** The tasks carried by messages. Built first: the queue driver needs them, and the other parts need the queues. */
    public static final class Carried {

        final SimpleMeterRegistry meters = new SimpleMeterRegistry();
        final PipelineMetrics metrics = new PipelineMetrics(meters);
        final PipelineSignals signals = new PipelineSignals(Set.of(), loop -> {});
        final PipelineTables tables;
        final CarriedTasks tasks;

        public Carried(JdbcClient jdbc, StateChanges journal, RunIdGenerator ids) {
            this.tables = new PipelineTables(jdbc, journal, ids, metrics);
            this.tasks = new CarriedTasks(tables, signals);
        }

        public CarriedWork work() {
            return tasks;
        }
    }

    /** A message that an executor has, and its queue. */
    private record Received(String queue, ClaimedMessage message) {}

    private final Map<Long, Received> received = new ConcurrentHashMap<>();

    public final SimpleMeterRegistry meters;
    public final Pipelines pipelines;
    public final PipelineRuns runs;
    public final PipelineTasks tasks;
    public final TaskDesk desk;
    public final Outbox outbox;
    public final PipelineReconciler reconciler;
    final PipelineTables tables;
    final RootPass pass;
    final OutboxDispatcher dispatcher;
    final PipelineKeeper keeper;
    private final ForeignTasks foreignTasks;
    private final PipelineProperties properties;
    final AlarmFixture alarms;
    private final AdminFixture admin;

    public PipelineFixture(AdminFixture admin) {
        this(admin, PROPERTIES);
    }

    PipelineFixture(AdminFixture admin, PipelineProperties properties) {
        this.admin = admin;
        this.meters = admin.carried.meters;
        this.alarms = new AlarmFixture(admin);
        this.properties = properties;
        PipelineSignals signals = admin.carried.signals;
        PipelineMetrics metrics = admin.carried.metrics;
        tables = admin.carried.tables;
        foreignTasks = new ForeignTasks(tables);
        pipelines =
                new Pipelines(tables, admin.queues.queues, admin.transactions, admin.systemLog, properties, signals);
        runs = new PipelineRuns(tables, admin.runIds, admin.transactions, signals);
        tasks = new PipelineTasks(admin.jdbc);
        desk = new TaskDesk(tables, admin.transactions);
        outbox = new Outbox(tables, runs, admin.transactions, signals);
        pass = new RootPass(admin.jdbc, tables, metrics, admin.queues.queues, failedRuns(), properties);
        reconciler =
                new PipelineReconciler(tables, pass, metrics, admin.transactions, admin.systemLog, properties, signals);
        dispatcher = new OutboxDispatcher(
                tables,
                foreignTasks,
                admin.queues.queues,
                admin.transactions,
                metrics,
                admin.systemLog,
                properties,
                signals);
        keeper = new PipelineKeeper(admin.jdbc, tables, admin.transactions, properties);
    }

    /** A node's dispatcher to webhooks. */
    WebhookDispatcher webhooks(String node) {
        return new WebhookDispatcher(
                tables,
                dispatcher,
                foreignTasks,
                admin.transactions,
                admin.carried.metrics,
                properties,
                admin.carried.signals,
                new Node(node, "host", 1, "test"));
    }

    void measure() {
        admin.carried.metrics.measure(tables.roots, tables.outbox);
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

    /** Sends all due entries. */
    public void dispatch() {
        while (dispatcher.run() == Pass.MORE) {
            // Until nothing is left.
        }
    }

    /** Reconciles until no work is due. */
    public void reconcile() {
        admin.jdbc
                .sql("update orth_pipeline_run set look_at = clock_timestamp()")
                .update();
        while (reconciler.run() == Pass.MORE) {
            // Until nothing is left.
        }
    }

    /** One pass under the run's lock, with the findings of an earlier audit. */
    Reconciliation pass(long root, Suspicion suspicion) {
        return admin.transactions.call(
                () -> pass.run(tables.runs.lock(root).orElseThrow().id(), suspicion));
    }

    FailedRunReports failedRuns() {
        return new FailedRunReports(alarms.alarms, admin.systemLog, admin.queues.queues, tables);
    }

    /** Claims messages of a stage. */
    public List<ClaimedMessage> receive(String stage, Target executor, int slots) {
        List<ClaimedMessage> messages = admin.queues.claim("q." + stage, executor.executorId(), slots);
        messages.forEach(message -> received.put(message.logId(), new Received("q." + stage, message)));
        return messages;
    }

    public static TaskKey keyOf(ClaimedMessage message) {
        return new TaskKey(message.task().taskId(), message.task().attempt(), message.logId());
    }

    /** Reports the result with every claimed message that carries this attempt. */
    public TaskVerdict finish(Target executor, TaskResult result) {
        List<Received> of = received.values().stream()
                .filter(each -> each.message().task().taskId() == result.taskId()
                        && each.message().task().attempt() == result.attempt())
                .toList();
        assertThat(of).isNotEmpty();
        for (Received each : of) {
            MessageResult reported =
                    result.of(each.message().id(), each.message().logId());
            boolean counted = admin.queues
                    .report(each.queue(), executor.executorId(), reported)
                    .refused()
                    .isEmpty();
            if (counted) {
                return tasks.get(result.taskId()).status() == PipelineTaskStatus.CANCELLED
                                || !statusOf(tasks.get(result.taskId()).rootId())
                                        .isOpen()
                        ? TaskVerdict.CANCELLED
                        : TaskVerdict.RECORDED;
            }
        }
        return TaskVerdict.STALE;
    }

    /** The executor has not started the attempt. */
    public void giveBack(Target executor, TaskKey key) {
        Received of = received.get(key.logId());
        admin.queues.report(
                of.queue(),
                executor.executorId(),
                new MessageResult(of.message().id(), key.logId(), Codes.NONE, null, false, null, 0));
    }

    /** Reports both results in one request; their messages are in the same queue. */
    TaskVerdict finish(Target executor, TaskResult first, TaskResult second) {
        List<Received> both = Stream.of(first, second)
                .map(result -> received.values().stream()
                        .filter(each -> each.message().task().taskId() == result.taskId())
                        .findFirst()
                        .orElseThrow())
                .toList();
        MessageResult one =
                first.of(both.get(0).message().id(), both.get(0).message().logId());
        MessageResult other =
                second.of(both.get(1).message().id(), both.get(1).message().logId());
        return admin.queues
                        .report(both.get(0).queue(), executor.executorId(), one, other)
                        .refused()
                        .isEmpty()
                ? TaskVerdict.RECORDED
                : TaskVerdict.STALE;
    }

    public TaskVerdict content(Target executor, TaskKey key, String ref) {
        return desk.content(
                        executor.executorId(),
                        new TaskContent("i", List.of(new TaskContent.Item(key.taskId(), key.logId(), ref, 10, null))))
                .items()
                .get(0)
                .verdict();
    }

    public TaskVerdict step(Target executor, TaskKey key) {
        return desk.steps(
                        executor.executorId(),
                        new TaskSteps("i", List.of(new TaskSteps.Item(key.taskId(), key.logId(), "{}"))))
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
                new TaskOutcome.Problem("NO_LUCK", "it did not work", "because"),
                null,
                5);
    }

    /** Dispatches, and claims all due messages of a stage. */
    public List<TaskKey> work(String stage, Target executor) {
        dispatch();
        List<TaskKey> claimed = new ArrayList<>();
        List<ClaimedMessage> messages;
        do {
            messages = receive(stage, executor, 1_000);
            messages.forEach(message -> claimed.add(keyOf(message)));
        } while (!messages.isEmpty());
        return claimed;
    }

    /** Claims a task whose start is not reported, as with a driver that cannot join the transaction. */
    public void claimOnly(String stage, Target executor, long task) {
        admin.queues.queues.open("q." + stage);
        receive(stage, executor, 1);
        dispatch();
        long message = admin.jdbc
                .sql("update orth_message set status = 'RUNNING', attempt = 1, executor_id = :executor, log_id = id"
                        + " where entity_id = :task returning id")
                .param("executor", executor.executorId())
                .param("task", task)
                .query(Long.class)
                .single();
        move(new TaskMove(
                task,
                PipelineTaskStatus.PENDING,
                PipelineTaskStatus.CLAIMED,
                PipelineTaskCause.CLAIMED,
                1,
                new Fence(executor.executorId(), message),
                null,
                0));
    }

    /** Whether the statement that moves tasks accepts this transition of the first attempt under this claim. */
    public boolean moves(long task, String cause, Fence claim) {
        PipelineTaskCause why = PipelineTaskCause.valueOf(cause);
        PipelineTaskStatus to = switch (why) {
            case BEGUN -> PipelineTaskStatus.RUNNING;
            case COMPLETED -> PipelineTaskStatus.COMPLETED;
            case EXHAUSTED -> PipelineTaskStatus.FAILED;
            case LOST, RETURNED -> PipelineTaskStatus.PENDING;
            default -> throw new IllegalArgumentException(cause + " needs no claim");
        };
        PipelineTaskStatus from =
                why == PipelineTaskCause.BEGUN ? PipelineTaskStatus.CLAIMED : PipelineTaskStatus.RUNNING;
        return move(new TaskMove(task, from, to, why, 1, claim, "{}", why == PipelineTaskCause.RETURNED ? -1 : 0));
    }

    private boolean move(TaskMove wanted) {
        return admin.transactions.call(() -> {
            TaskStep step = tables.step(tables.now());
            boolean moved = !step.move(List.of(wanted)).isEmpty();
            step.end();
            return moved;
        });
    }

    /** Releases messages of dead executors and makes their next attempts due. */
    public void rescue() {
        admin.queues.driver.release(1_000, Duration.ZERO, Duration.ofSeconds(30));
        admin.jdbc
                .sql("update orth_message set due_at = now() where status = 'WAITING' and due_at > now()")
                .update();
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
