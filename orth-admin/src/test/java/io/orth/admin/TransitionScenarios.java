package io.orth.admin;

import static io.orth.admin.kernel.EntityKind.ALARM;
import static io.orth.admin.kernel.EntityKind.EXECUTOR;
import static io.orth.admin.kernel.EntityKind.JOB;
import static io.orth.admin.kernel.EntityKind.MESSAGE;
import static io.orth.admin.kernel.EntityKind.OPERATION;
import static io.orth.admin.kernel.EntityKind.PIPELINE_RUN;
import static io.orth.admin.kernel.EntityKind.PIPELINE_TASK;
import static io.orth.admin.kernel.EntityKind.RUN;

import io.orth.admin.StateMachines.Edge;
import io.orth.admin.alarm.AlarmFixture;
import io.orth.admin.alarm.AlarmNotice;
import io.orth.admin.deadletter.DeadLetterFixture;
import io.orth.admin.deadletter.Operation;
import io.orth.admin.job.DueJob;
import io.orth.admin.job.DueJobs;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.pipeline.PipelineTasks;
import io.orth.admin.pipeline.TaskKey;
import io.orth.admin.pipeline.TaskResult;
import io.orth.admin.queue.MessageSpec;
import io.orth.admin.queue.QueueFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.SilentExecutors;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.ExecutorWait;
import io.orth.admin.run.NewRetry;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** How each edge of each state machine comes about for real, for each of its causes. */
final class TransitionScenarios {

    private static final String INSTANCE = "instance";
    private static final String ADDRESS = "http://127.0.0.1:9999";

    /** @param drive makes an entity take the edge as its last one, and returns its id */
    record Scenario(Edge edge, String cause, ToLongFunction<World> drive) {

        @Override
        public String toString() {
            return edge + " " + cause;
        }
    }

    static final List<Scenario> ALL = List.of(
            scenario(RUN, null, "INIT", "CREATED", world -> world.unsentRun().id()),
            scenario(
                    RUN,
                    "INIT",
                    "PENDING",
                    "ACCEPTED",
                    world -> world.pendingRun().id()),
            scenario(RUN, "INIT", "PENDING", "UNCONFIRMED", World::unconfirmedRun),
            scenario(RUN, "INIT", "TRIGGER_FAILED", "REFUSED", World::rejectedRun),
            scenario(RUN, "INIT", "TRIGGER_FAILED", "NO_EXECUTOR", World::runWithoutExecutor),
            scenario(RUN, "INIT", "SKIPPED", "DISCARDED", World::skippedRun),
            scenario(RUN, "INIT", "TRIGGER_FAILED", "KILLED", World::runKilledUnsent),
            scenario(RUN, "INIT", "TRIGGER_FAILED", "CALLED_OFF", World::retryOfALateSuccess),
            scenario(RUN, "PENDING", "SUCCESS", "CALLBACK", world -> world.finishedRun(Codes.SUCCESS)),
            scenario(RUN, "PENDING", "FAILED", "CALLBACK", world -> world.finishedRun(Codes.FAIL)),
            scenario(RUN, "PENDING", "FAILED", "LOST", world -> world.lostRun().id()),
            scenario(RUN, "PENDING", "FAILED", "KILLED", World::runKilledByItsExecutor),
            scenario(RUN, "PENDING", "TIMEOUT", "CALLBACK", world -> world.finishedRun(Codes.TIMEOUT)),
            scenario(RUN, "FAILED", "SUCCESS", "LATE_RESULT", world -> world.lateRun(Codes.SUCCESS)),
            scenario(RUN, "FAILED", "FAILED", "LATE_RESULT", world -> world.lateRun(Codes.FAIL)),
            scenario(RUN, "FAILED", "TIMEOUT", "LATE_RESULT", world -> world.lateRun(Codes.TIMEOUT)),
            scenario(
                    EXECUTOR,
                    null,
                    "ONLINE",
                    "REGISTERED",
                    world -> world.executor().executorId()),
            scenario(EXECUTOR, "ONLINE", "OFFLINE", "LEFT", World::executorThatLeft),
            scenario(EXECUTOR, "ONLINE", "DEAD", "SILENT", World::silentExecutor),
            scenario(EXECUTOR, "ONLINE", "DEAD", "REPLACED", World::replacedExecutor),
            scenario(EXECUTOR, "OFFLINE", "ONLINE", "RETURNED", world -> world.back(world.executorThatLeft())),
            scenario(EXECUTOR, "DEAD", "ONLINE", "RETURNED", world -> world.back(world.silentExecutor())),
            scenario(JOB, null, "ENABLED", "CREATED", world -> world.job(true).id()),
            scenario(JOB, null, "PAUSED", "CREATED", world -> world.job(false).id()),
            scenario(
                    JOB,
                    "ENABLED",
                    "PAUSED",
                    "PAUSED",
                    world -> world.admin.jobs.pause(world.job(true).id()).id()),
            scenario(JOB, "ENABLED", "PAUSED", "EDITED", world -> world.edited(true, false)),
            scenario(JOB, "ENABLED", "PAUSED", "ENDED", World::endedJob),
            scenario(JOB, "ENABLED", "DELETED", "DELETED", world -> world.deletedJob(true)),
            scenario(
                    JOB,
                    "PAUSED",
                    "ENABLED",
                    "RESUMED",
                    world -> world.admin.jobs.resume(world.job(false).id()).id()),
            scenario(JOB, "PAUSED", "ENABLED", "EDITED", world -> world.edited(false, true)),
            scenario(JOB, "PAUSED", "DELETED", "DELETED", world -> world.deletedJob(false)),
            scenario(MESSAGE, null, "WAITING", "PUSHED", World::pushed),
            scenario(MESSAGE, "WAITING", "RUNNING", "CLAIMED", world -> world.claimed(3)),
            scenario(MESSAGE, "WAITING", "DISCARDED", "DISCARDED", World::discarded),
            scenario(MESSAGE, "RUNNING", "DONE", "COMPLETED", world -> world.reported(3, Codes.SUCCESS, false)),
            scenario(MESSAGE, "RUNNING", "DONE", "EXHAUSTED", world -> {
                world.exhaustedTask();
                return world.onlyMessage();
            }),
            scenario(MESSAGE, "RUNNING", "DONE", "FAILED_FOR_GOOD", world -> {
                world.endedRun(TaskResult.Outcome.PERMANENT);
                return world.onlyMessage();
            }),
            scenario(MESSAGE, "RUNNING", "WAITING", "FAILED", world -> world.reported(3, Codes.FAIL, false)),
            scenario(MESSAGE, "RUNNING", "WAITING", "TIMED_OUT", world -> world.reported(3, Codes.TIMEOUT, false)),
            scenario(MESSAGE, "RUNNING", "WAITING", "RETURNED", world -> world.reported(3, Codes.NONE, false)),
            scenario(MESSAGE, "RUNNING", "WAITING", "LOST", World::lostMessage),
            scenario(MESSAGE, "RUNNING", "DEAD", "EXHAUSTED", world -> world.reported(1, Codes.FAIL, false)),
            scenario(MESSAGE, "RUNNING", "DEAD", "FAILED_FOR_GOOD", world -> world.reported(3, Codes.FAIL, true)),
            scenario(MESSAGE, "DEAD", "WAITING", "RETRIED", World::retried),
            scenario(MESSAGE, "DEAD", "DISCARDED", "DISCARDED", World::dropped),
            scenario(PIPELINE_RUN, null, "PENDING", "SUBMITTED", World::submitted),
            scenario(PIPELINE_RUN, "PENDING", "RUNNING", "BEGUN", World::startedRun),
            scenario(PIPELINE_RUN, "PENDING", "CANCELLED", "CANCELLED", world -> world.cancelled(world.submitted())),
            scenario(PIPELINE_RUN, "RUNNING", "COMPLETED", "COMPLETED", world -> world.endedRun(TaskResult.Outcome.OK)),
            scenario(
                    PIPELINE_RUN, "RUNNING", "FAILED", "FAILED", world -> world.endedRun(TaskResult.Outcome.PERMANENT)),
            scenario(PIPELINE_RUN, "RUNNING", "CANCELLED", "CANCELLED", world -> world.cancelled(world.startedRun())),
            scenario(PIPELINE_RUN, "FAILED", "RUNNING", "RETRIED", World::retriedRun),
            scenario(PIPELINE_TASK, null, "PENDING", "CREATED", world -> world.taskOf(world.submitted())),
            scenario(PIPELINE_TASK, "PENDING", "CLAIMED", "CLAIMED", World::claimedTask),
            scenario(
                    PIPELINE_TASK,
                    "PENDING",
                    "CANCELLED",
                    "CANCELLED",
                    world -> world.cancelledTask(world.submitted())),
            scenario(PIPELINE_TASK, "CLAIMED", "RUNNING", "BEGUN", world -> world.taskOf(world.startedRun())),
            scenario(PIPELINE_TASK, "CLAIMED", "PENDING", "LOST", world -> world.lostTask(world.claimedTask())),
            scenario(PIPELINE_TASK, "CLAIMED", "CANCELLED", "CANCELLED", world -> {
                world.claimedTask();
                return world.cancelledTask(world.onlyRun());
            }),
            scenario(
                    PIPELINE_TASK,
                    "RUNNING",
                    "COMPLETED",
                    "COMPLETED",
                    world -> world.taskOf(world.endedRun(TaskResult.Outcome.OK))),
            scenario(
                    PIPELINE_TASK,
                    "RUNNING",
                    "FAILED",
                    "FAILED_FOR_GOOD",
                    world -> world.taskOf(world.endedRun(TaskResult.Outcome.PERMANENT))),
            scenario(PIPELINE_TASK, "RUNNING", "FAILED", "EXHAUSTED", World::exhaustedTask),
            scenario(
                    PIPELINE_TASK,
                    "RUNNING",
                    "PENDING",
                    "FAILED",
                    world -> world.taskOf(world.endedRun(TaskResult.Outcome.FAILED))),
            scenario(
                    PIPELINE_TASK,
                    "RUNNING",
                    "PENDING",
                    "LOST",
                    world -> world.lostTask(world.taskOf(world.startedRun()))),
            scenario(PIPELINE_TASK, "RUNNING", "PENDING", "RETURNED", World::returnedTask),
            scenario(
                    PIPELINE_TASK,
                    "RUNNING",
                    "CANCELLED",
                    "CANCELLED",
                    world -> world.cancelledTask(world.startedRun())),
            scenario(PIPELINE_TASK, "FAILED", "PENDING", "RETRIED", world -> {
                long run = world.retriedRun();
                world.admin.pipelines.reconcile();
                return world.taskOf(run);
            }),
            scenario(OPERATION, null, "RUNNING", "CREATED", World::startedOperation),
            scenario(OPERATION, "RUNNING", "PAUSED", "PAUSED", World::pausedOperation),
            scenario(OPERATION, "RUNNING", "DONE", "COMPLETED", World::doneOperation),
            scenario(OPERATION, "RUNNING", "ABORTED", "ABORTED", world -> world.aborted(world.startedOperation())),
            scenario(OPERATION, "PAUSED", "RUNNING", "RESUMED", World::resumedOperation),
            scenario(OPERATION, "PAUSED", "ABORTED", "ABORTED", world -> world.aborted(world.pausedOperation())),
            scenario(ALARM, null, "PENDING", "CREATED", world -> world.alarm(new AlarmFixture(world.admin))),
            scenario(ALARM, "PENDING", "SENT", "SENT", World::sentAlarm),
            scenario(ALARM, "PENDING", "FAILED", "EXHAUSTED", World::failedAlarm));

    private TransitionScenarios() {}

    private static Scenario scenario(
            EntityKind kind, String from, String to, String cause, ToLongFunction<World> drive) {
        return new Scenario(new Edge(kind, from, to), cause, drive);
    }

    /** An admin with a group and nothing else. */
    static final class World {

        private final AdminFixture admin;
        private final ExecutorGroup group;

        World(AdminFixture admin) {
            this.admin = admin;
            this.group = admin.group("group");
        }

        private long startedOperation() {
            return deadLetters()
                    .operations
                    .begin(Operation.Action.DISCARD, List.of(1L), "alice", "")
                    .id();
        }

        private DeadLetterFixture deadLetters() {
            return new DeadLetterFixture(admin);
        }

        private long pausedOperation() {
            return deadLetters().operations.pause(startedOperation()).id();
        }

        private long resumedOperation() {
            return deadLetters().operations.resume(pausedOperation()).id();
        }

        private long doneOperation() {
            long id = startedOperation();
            deadLetters().drain();
            return id;
        }

        private long aborted(long operation) {
            return deadLetters().operations.abort(operation, "bob").id();
        }

        private long alarm(AlarmFixture alarms) {
            alarms.channel("ops");
            admin.transactions.run(() -> alarms.alarms.tell(
                    List.of(new AlarmNotice("emails", "rule", false, "text", group.id(), Instant.now()))));
            return alarms.alarms.list(Long.MAX_VALUE, 1).get(0).id();
        }

        private long sentAlarm() {
            AlarmFixture alarms = new AlarmFixture(admin);
            long id = alarm(alarms);
            alarms.send();
            return id;
        }

        private long failedAlarm() {
            AlarmFixture alarms = new AlarmFixture(admin);
            long id = alarm(alarms);
            alarms.breakChannels();
            for (int i = 0; i < AlarmFixture.TRIES; i++) {
                alarms.endWindows();
                alarms.send();
            }
            return id;
        }

        private long pushed() {
            return admin.queues.push("emails", MessageSpec.of("hello"));
        }

        private long discarded() {
            long id = pushed();
            admin.queues.driver.discard("emails", List.of(id), List.of());
            return id;
        }

        private long claimed(int maxAttempts) {
            long id = admin.queues.push("emails", QueueFixture.withAttempts(maxAttempts));
            admin.queues.claim("emails", executor().executorId(), 1);
            return id;
        }

        private long reported(int maxAttempts, int code, boolean forGood) {
            long id = claimed(maxAttempts);
            admin.queues.report(
                    "emails",
                    admin.target(INSTANCE).executorId(),
                    // A message's first claim has its own id as log id.
                    new MessageResult(id, id, code, "no", forGood, null, 5));
            return id;
        }

        private long lostMessage() {
            long id = claimed(3);
            leave();
            admin.queues.driver.release(10, Duration.ZERO, Duration.ZERO);
            return id;
        }

        private long retried() {
            long id = reported(1, Codes.FAIL, false);
            admin.queues.driver.retry("emails", Map.of(id, "another payload"));
            return id;
        }

        private long dropped() {
            long id = reported(1, Codes.FAIL, false);
            admin.queues.driver.discard("emails", List.of(), List.of(id));
            return id;
        }

        private long submitted() {
            admin.pipelines.define("books", "courses");
            return admin.pipelines.submit("books", "math");
        }

        private long onlyRun() {
            return admin.jdbc
                    .sql("select id from orth_pipeline_run")
                    .query(Long.class)
                    .single();
        }

        private long taskOf(long run) {
            return admin.pipelines
                    .tasks
                    .list(new PipelineTasks.Filter(run, null, null, null, null, null, 0, 1))
                    .get(0)
                    .id();
        }

        private long startedRun() {
            long run = submitted();
            admin.pipelines.work("courses", executor());
            return run;
        }

        /** Its executor has not reported the start. */
        private long claimedTask() {
            long task = taskOf(submitted());
            admin.pipelines.claimOnly("courses", executor(), task);
            return task;
        }

        private long lostTask(long task) {
            leave();
            admin.pipelines.rescue();
            return task;
        }

        private long returnedTask() {
            submitted();
            TaskKey key = admin.pipelines.work("courses", executor()).get(0);
            admin.pipelines.giveBack(admin.target(INSTANCE), key);
            return key.taskId();
        }

        /** The one that carried a task and is done. */
        private long onlyMessage() {
            return admin.jdbc
                    .sql("select id from orth_message_history")
                    .query(Long.class)
                    .single();
        }

        private long cancelled(long run) {
            admin.pipelines.runs.cancel(run, "ann", null);
            return run;
        }

        private long cancelledTask(long run) {
            cancelled(run);
            admin.pipelines.reconcile();
            return taskOf(run);
        }

        private long endedRun(TaskResult.Outcome how) {
            long run = startedRun();
            endTask(taskOf(run), 1, how);
            admin.pipelines.reconcile();
            return run;
        }

        private void endTask(long task, int attempt, TaskResult.Outcome how) {
            admin.pipelines.finish(
                    admin.target(INSTANCE), new TaskResult(task, attempt, how, null, List.of(), null, null, 5));
        }

        private long exhaustedTask() {
            long task = taskOf(startedRun());
            for (int attempt = 1; attempt <= 3; attempt++) {
                endTask(task, attempt, TaskResult.Outcome.FAILED);
                admin.pipelines.work("courses", admin.target(INSTANCE));
            }
            return task;
        }

        private long retriedRun() {
            long run = endedRun(TaskResult.Outcome.PERMANENT);
            admin.pipelines.runs.retry(run, null, null, "ann");
            return run;
        }

        private Target executor() {
            return admin.executor(group, INSTANCE, ADDRESS);
        }

        private long executorThatLeft() {
            Target executor = executor();
            leave();
            return executor.executorId();
        }

        private void leave() {
            admin.executors.leave(group.id(), new Registration.Instance(INSTANCE, "host", 7, "test", true));
        }

        private long silentExecutor() {
            Target executor = executor();
            admin.silence(executor, Duration.ofMinutes(1));
            SilentExecutors.declareDead(admin.executors);
            return executor.executorId();
        }

        private long replacedExecutor() {
            Target executor = executor();
            admin.register(group, "successor", ADDRESS, true);
            return executor.executorId();
        }

        private long back(long executor) {
            admin.register(group, INSTANCE, ADDRESS, true);
            return executor;
        }

        private Run unsentRun() {
            return admin.unsentRun(group);
        }

        private Run pendingRun() {
            return admin.pendingRun(group, executor());
        }

        private long unconfirmedRun() {
            Run run = admin.intendedRun(group, executor());
            admin.runs.accept(List.of(Acceptance.of(run, "no answer")), RunCause.UNCONFIRMED);
            return run.id();
        }

        private long rejectedRun() {
            Run run = unsentRun();
            admin.runs.refuse(List.of(Refusal.of(run, "nobody is there")));
            return run.id();
        }

        private long runWithoutExecutor() {
            Run run = unsentRun();
            ExecutorWait wait = new ExecutorWait(Refusal.of(run, "no executor"), true);
            admin.runs.awaitExecutor(List.of(wait), AdminFixture.CLAIM, Duration.ZERO);
            return run.id();
        }

        private long skippedRun() {
            Run run = unsentRun();
            admin.runs.skip(List.of(Refusal.of(run, "the job was busy")));
            return run.id();
        }

        private long runKilledUnsent() {
            Run run = unsentRun();
            kill(run);
            admin.kills.endUnsent(List.of(run.id()));
            return run.id();
        }

        private long runKilledByItsExecutor() {
            Run run = pendingRun();
            kill(run);
            return report(run, Codes.FAIL);
        }

        private void kill(Run run) {
            admin.kills.request(List.of(run.id()), "ann", "", AdminFixture.CLAIM);
        }

        private long finishedRun(int code) {
            return report(pendingRun(), code);
        }

        private long report(Run run, int code) {
            admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, code, "", INSTANCE)));
            return run.id();
        }

        private Run lostRun() {
            Run run = pendingRun();
            leave();
            admin.runs.loseOfGoneExecutors(Duration.ZERO, 10);
            return run;
        }

        private long lateRun(int code) {
            return report(lostRun(), code);
        }

        private long retryOfALateSuccess() {
            Run lost = lostRun();
            Run retry = admin.runs
                    .retry(List.of(new NewRetry(lost.id(), 2, Duration.ofMinutes(1))))
                    .get(0);
            report(lost, Codes.SUCCESS);
            return retry.id();
        }

        private Job job(boolean enabled) {
            Schedule everyMinute = new Schedule.FixedRate(Duration.ofMinutes(1));
            return admin.jobs.create(
                    JobSpecs.of("job", group.id(), "handler", "", everyMinute, MisfirePolicy.FIRE_ONCE), enabled);
        }

        private long edited(boolean before, boolean after) {
            Job job = job(before);
            return admin.jobs.update(job.id(), job.version(), job.spec(), after).id();
        }

        private long deletedJob(boolean enabled) {
            int id = job(enabled).id();
            admin.jobs.delete(id);
            return id;
        }

        private long endedJob() {
            int id = job(true).id();
            admin.transactions.run(() -> {
                List<DueJob> due =
                        admin.dueJobs.lockOnTime(Instant.EPOCH, Instant.now().plusSeconds(3_600), 10);
                admin.dueJobs.advance(due.stream()
                        .map(job -> DueJobs.Advance.stop(job, "its schedule is over"))
                        .toList());
            });
            return id;
        }
    }
}
