package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.BlockScope;
import io.orth.admin.job.Execution;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Loops;
import io.orth.admin.queue.Lane;
import io.orth.admin.queue.MessageSpec;
import io.orth.admin.queue.QueueFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunAlarm;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.GlueType;
import io.orth.protocol.MessageResult;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * States that nothing would end by itself, planted in the database of an admin that runs: a commit that a failover has undone, a
 * claim or a trigger whose response was lost, work of an executor that is online and has finished it or never received it.
 */
final class RescueScenarios {

    /**
     * A state that is planted.
     *
     * @param by what is to end it
     * @param plant plants it; returns whether it has ended
     */
    record Scenario(String machine, String state, String by, String what, Function<World, BooleanSupplier> plant) {

        /** As the states are declared. */
        String key() {
            return "%s %s %s".formatted(machine, state, by);
        }

        @Override
        public String toString() {
            return "%s %s: %s".formatted(machine, state, what);
        }
    }

    private static final String RUN = "Run";
    private static final String MESSAGE = "Message";
    private static final String EXECUTOR = "Executor";
    private static final String PIPELINE_RUN = "Pipeline run";
    private static final String RUN_ALARM = "Alarm of a run";
    private static final String TASK = "Pipeline task";

    static final List<Scenario> ALL = List.of(
            of(RUN, "INIT", "unsent-run-rescuer", "its admin died before it sent it", World::neverSent),
            of(RUN, "INIT", "unsent-run-rescuer", "its executor has it", world -> world.sent(true)),
            of(RUN, "INIT", "unsent-run-rescuer", "its executor never received it", world -> world.sent(false)),
            of(RUN, "INIT", "turn-keeper", "nobody said that its job is free", World::awaitsItsTurn),
            of(RUN, "INIT", "run-killer", "the admin that was to kill it stopped", World::killedUnsent),
            of(RUN, "PENDING", "lost-run-detector", "its executor is dead", world -> world.awaitedFrom("DEAD")),
            of(RUN, "PENDING", "lost-run-detector", "its executor left", world -> world.awaitedFrom("OFFLINE")),
            of(RUN, "PENDING", "lost-run-detector", "its executor is not known any more", World::awaitedFromUnknown),
            of(RUN, "PENDING", "lost-work-detector", "its executor finished it", world -> world.awaited(true)),
            of(RUN, "PENDING", "lost-work-detector", "its executor does not know it", world -> world.awaited(false)),
            of(RUN, "PENDING", "lost-work-detector", "its executor cannot be asked", World::awaitedUnasked),
            of(RUN, "PENDING", "lost-work-detector", "its executor reaches no admin", World::awaitedFromMute),
            of(RUN, "PENDING", "foreign-lost-run-detector", "its XXL-JOB executor is gone", World::awaitedFromForeign),
            of(MESSAGE, "WAITING", "queue-desk", "no notification said that it is due", World::dueUnnoticed),
            of(MESSAGE, "WAITING", "lost-work-detector", "its group's first was finished", World::blocked),
            of(MESSAGE, "RUNNING", "message-rescuer", "its executor is dead", world -> world.claimedBy("DEAD")),
            of(MESSAGE, "RUNNING", "message-rescuer", "its executor left", world -> world.claimedBy("OFFLINE")),
            of(MESSAGE, "RUNNING", "lost-work-detector", "its executor finished it", world -> world.claimed(true)),
            of(MESSAGE, "RUNNING", "lost-work-detector", "the claim got no answer", world -> world.claimed(false)),
            of(MESSAGE, "RUNNING", "lost-work-detector", "its executor cannot be asked", World::claimedUnasked),
            of(MESSAGE, "RUNNING", "lost-work-detector", "its executor reaches no admin", World::claimedByMute),
            of(MESSAGE, "RUNNING", "completion-intake", "no notification said that it was completed", World::completed),
            of(MESSAGE, "RUNNING", "completion-intake", "its completion cannot be recorded", World::unrecordable),
            of(MESSAGE, "DEAD", "dead-letter-keeper", "it is old", World::oldDeadLetter),
            of(EXECUTOR, "ONLINE", "registry-sweeper", "it went without a word", World::silent),
            of(EXECUTOR, "ONLINE", "foreign-sweeper", "an XXL-JOB executor went", World::silentForeign),
            of(EXECUTOR, "OFFLINE", "executor-pruner", "it left long ago", world -> world.deadLongAgo("OFFLINE")),
            of(EXECUTOR, "DEAD", "executor-pruner", "it died long ago", world -> world.deadLongAgo("DEAD")),
            of("Job", "ENABLED", "schedule-scanner", "it is due", World::dueJob),
            of("Job", "ENABLED", "awaited-run-rescuer", "the run it awaits is gone", World::jobThatAwaitsNothing),
            of(PIPELINE_RUN, "PENDING", "pipeline-reconciler", "its message is lost", World::messageLost),
            of(PIPELINE_RUN, "RUNNING", "pipeline-reconciler", "its tasks have ended", World::tasksEnded),
            of(PIPELINE_RUN, "FAILED", "pipeline-keeper", "it failed long ago", World::failedLongAgo),
            of(TASK, "PENDING", "pipeline-reconciler", "its message is lost", World::messageLost),
            of(TASK, "PENDING", "pipeline-reconciler", "its message was given up before it", World::messageParked),
            of(TASK, "PENDING", "outbox-dispatcher", "it cannot be sent", World::unsendable),
            of(TASK, "CLAIMED", "message-rescuer", "its executor is dead", world -> world.taskOfDead("CLAIMED")),
            of(TASK, "CLAIMED", "lost-work-detector", "the claim got no answer", world -> world.task("CLAIMED")),
            of(TASK, "RUNNING", "message-rescuer", "its executor is dead", world -> world.taskOfDead("RUNNING")),
            of(TASK, "RUNNING", "lost-work-detector", "its executor forgot it", world -> world.task("RUNNING")),
            of(TASK, "RUNNING", "lost-work-detector", "its executor finished it", World::finishedTask),
            of(TASK, "FAILED", "pipeline-keeper", "it failed long ago", World::failedLongAgo),
            of("Operation", "RUNNING", "operations", "its admin stopped", World::operation),
            of("Alarm", "PENDING", "alarm-sender", "its sender stopped", World::alarm),
            of(RUN_ALARM, "UNDECIDED", "alarm-monitor", "nobody looked at the failure", World::failedUnnoticed),
            of(RUN_ALARM, "TAKEN", "alarm-sender", "the sender of its alarm stopped", World::named),
            of(RUN_ALARM, "TAKEN", "alarm-monitor", "its channel was deleted", World::namedByNone));

    private RescueScenarios() {}

    private static Scenario of(
            String machine, String state, String by, String what, Function<World, BooleanSupplier> plant) {
        return new Scenario(machine, state, by, what, plant);
    }

    /** One executor of a group of its own, online for as long as it sends heartbeats. */
    static final class World implements AutoCloseable {

        private final String name = "s" + UUID.randomUUID();
        private final AdminServer.Running server;
        private final AdminFixture admin;
        private final JdbcClient jdbc;
        private final ExecutorGroup group;
        private final FakeExecutor executor = new FakeExecutor(name);
        private final Target target;
        private boolean beats = true;

        /** The inserted row, if its status is observed; otherwise null. */
        private Planted planted;

        private record Planted(long id) {}

        World(AdminServer.Running server, TestDatabase db) {
            this.server = server;
            admin = new AdminFixture(db);
            jdbc = admin.jdbc;
            group = admin.group(name);
            target = admin.executor(group, name, executor.address());
        }

        /** Advances time: the executor sends a heartbeat unless it is offline, and slow loops run now. */
        void tick() {
            if (beats) {
                admin.register(group, name, executor.address(), true);
            }
            Loops loops = server.context().getBean(Loops.class);
            List.of("executor-pruner", "dead-letter-keeper", "pipeline-keeper").forEach(loops::wake);
        }

        /** The entities of this kind of which one has to leave its state. */
        Set<Long> planted(EntityKind kind) {
            if (planted == null) {
                return Set.of();
            }
            return kind == EntityKind.PIPELINE_TASK
                    ? Set.copyOf(jdbc.sql("select id from orth_pipeline_task where root_id = :id")
                            .param("id", planted.id())
                            .query(Long.class)
                            .list())
                    : Set.of(planted.id());
        }

        @Override
        public void close() {
            executor.close();
            admin.lease.release();
        }

        private BooleanSupplier neverSent() {
            return sendable(admin.unsentRun(group));
        }

        private BooleanSupplier sent(boolean received) {
            Run run = admin.intendedRun(group, target);
            if (received) {
                executor.knows(run.id());
            }
            return sendable(run);
        }

        /** Of a job of its own: runs of one job take turns. */
        private BooleanSupplier awaitsItsTurn() {
            Execution serial = new Execution(BlockStrategy.SERIAL, BlockScope.CLUSTER, 1, 0, GlueType.BEAN);
            int job = (int) job(new Schedule.FixedRate(Duration.ofHours(1)));
            NewRun wanted = new NewRun(
                    job, name, group.id(), "handler", "", TriggerType.API, null, serial, null, null, Route.DEFAULT);
            Run run = admin.runs.create(List.of(wanted), AdminFixture.CLAIM).get(0);
            assertThat(run.awaitsTurn()).isTrue();
            return isNot("INIT", "select status from orth_run_all where id = :id", run.id());
        }

        private BooleanSupplier sendable(Run run) {
            change("update orth_run set claim_until = now() - interval '1 second' where id = :id", run.id());
            return isNot("INIT", "select status from orth_run_all where id = :id", run.id());
        }

        private BooleanSupplier killedUnsent() {
            Run run = admin.unsentRun(group);
            change(
                    "update orth_run set kill_requested_at = now(), kill_requested_by = 'ann', kill_reason = '',"
                            + " kill_next_at = now() where id = :id",
                    run.id());
            return isNot("INIT", "select status from orth_run_all where id = :id", run.id());
        }

        private BooleanSupplier awaitedFrom(String status) {
            Run run = admin.pendingRun(group, target);
            gone(status);
            return isNot("PENDING", "select status from orth_run_all where id = :id", run.id());
        }

        private BooleanSupplier awaitedFromUnknown() {
            Run run = admin.pendingRun(group, target);
            beats = false;
            change("delete from orth_executor where id = :id", target.executorId());
            return isNot("PENDING", "select status from orth_run_all where id = :id", run.id());
        }

        private BooleanSupplier awaited(boolean finished) {
            return aged(admin.pendingRun(group, target), finished);
        }

        /** Its heartbeats arrive all the same. */
        private BooleanSupplier awaitedUnasked() {
            Run run = admin.pendingRun(group, target);
            executor.close();
            change("update orth_run set status_at = now() - interval '8 days' where id = :id", run.id());
            return isNot("PENDING", "select status from orth_run_all where id = :id", run.id());
        }

        private BooleanSupplier awaitedFromMute() {
            mute();
            return awaited(false);
        }

        private BooleanSupplier claimedByMute() {
            mute();
            return claimed(false);
        }

        /** Its heartbeats have not arrived for longer than it has any work, but it responds to probes. */
        private void mute() {
            beats = false;
            admin.silence(target, Duration.ofHours(2));
        }

        private BooleanSupplier claimedUnasked() {
            admin.queues.push(name, message(null, null));
            ClaimedMessage claimed = claimAged();
            executor.close();
            change("update orth_message set status_at = now() - interval '8 days' where id = :id", claimed.id());
            return isNot("RUNNING", "select status from orth_message where id = :id", claimed.id());
        }

        /** As its client does, but for the notification; from now on nothing else may end it. */
        private BooleanSupplier completed() {
            return completed(claimedMessage());
        }

        /** The next attempt at recording it is the last one. */
        private BooleanSupplier unrecordable() {
            ClaimedMessage claimed = claimedMessage();
            jdbc.sql("alter table orth_message_history add constraint refuses_%1$d check (id <> %1$d)"
                            .formatted(claimed.id()))
                    .update();
            return admin.transactions.call(() -> {
                BooleanSupplier over = completed(claimed);
                change("update orth_message_completion set attempts = 9 where message_id = :id", claimed.id());
                return over;
            });
        }

        private ClaimedMessage claimedMessage() {
            admin.queues.push(name, message(null, null));
            return claimAged();
        }

        private BooleanSupplier completed(ClaimedMessage claimed) {
            jdbc.sql("insert into orth_message_completion (queue, message_id, log_id, executor, result)"
                            + " values (:name, :id, :log, :name, 'done')")
                    .params(Map.of("name", name, "id", claimed.id(), "log", claimed.logId()))
                    .update();
            return isNot("RUNNING", "select status from orth_message where id = :id", claimed.id());
        }

        private BooleanSupplier awaitedFromForeign() {
            Target foreign = admin.foreignExecutor(group, "http://127.0.0.1:9/" + name);
            admin.silence(foreign, Duration.ofHours(1));
            return aged(admin.pendingRun(group, foreign), false);
        }

        private BooleanSupplier aged(Run run, boolean finished) {
            if (finished) {
                executor.finished(run.id(), Codes.SUCCESS, "done");
            }
            change("update orth_run set status_at = status_at - interval '1 hour' where id = :id", run.id());
            return isNot("PENDING", "select status from orth_run_all where id = :id", run.id());
        }

        private BooleanSupplier dueUnnoticed() {
            long id = admin.queues.push(name, message(Duration.ofHours(1), null));
            WireExecutor asking = new WireExecutor(server, executor.address() + "/asking");
            CompletableFuture<List<ClaimedMessage>> given =
                    CompletableFuture.supplyAsync(() -> asking.claim(name, 20_000));
            await(() -> count(
                            "select count(*) from orth_queue_worker w join orth_queue q on q.id = w.queue_id"
                                    + " where q.name = :name and :id > 0",
                            id)
                    > 0);
            change("update orth_message set due_at = now() - interval '1 second' where id = :id", id);
            return () -> given.isDone() && given.join().size() == 1;
        }

        private BooleanSupplier blocked() {
            admin.queues.push(name, message(null, "group"));
            long second = admin.queues.push(name, message(null, "group"));
            executor.finished(claimAged().logId(), Codes.SUCCESS, null);
            return () -> count("select count(*) from orth_message where id = :id and not blocked", second) == 1;
        }

        private BooleanSupplier claimedBy(String status) {
            admin.queues.push(name, message(null, null));
            ClaimedMessage claimed = claimAged();
            gone(status);
            return isNot("RUNNING", "select status from orth_message where id = :id", claimed.id());
        }

        private BooleanSupplier claimed(boolean finished) {
            admin.queues.push(name, message(null, null));
            ClaimedMessage claimed = claimAged();
            if (finished) {
                executor.finished(claimed.logId(), Codes.SUCCESS, null);
            }
            return isNot("RUNNING", "select status from orth_message where id = :id", claimed.id());
        }

        private ClaimedMessage claimAged() {
            ClaimedMessage claimed =
                    admin.queues.claim(name, target.executorId(), 1).get(0);
            change("update orth_message set status_at = status_at - interval '1 hour' where id = :id", claimed.id());
            return claimed;
        }

        private BooleanSupplier oldDeadLetter() {
            long id = admin.queues.push(name, QueueFixture.withAttempts(1));
            ClaimedMessage claimed = claimAged();
            admin.queues.report(
                    name, target.executorId(), new MessageResult(id, claimed.logId(), Codes.FAIL, "", true, null, 1));
            change("update orth_dead_letter set status_at = now() - interval '2 years' where id = :id", id);
            return () -> count("select count(*) from orth_dead_letter where id = :id", id) == 0;
        }

        private BooleanSupplier silent() {
            beats = false;
            executor.close();
            admin.silence(target, Duration.ofHours(1));
            return isNot("ONLINE", "select status from orth_executor where id = :id", target.executorId());
        }

        private BooleanSupplier silentForeign() {
            Target foreign = admin.foreignExecutor(group, "http://127.0.0.1:9/" + name);
            admin.silence(foreign, Duration.ofHours(1));
            return isNot("ONLINE", "select status from orth_executor where id = :id", foreign.executorId());
        }

        private BooleanSupplier deadLongAgo(String status) {
            gone(status);
            change(
                    "update orth_executor set status_at = now() - interval '1 year' where id = :id",
                    target.executorId());
            return () -> count("select count(*) from orth_executor where id = :id", target.executorId()) == 0;
        }

        private void gone(String status) {
            beats = false;
            change(
                    "update orth_executor set status = '%s', status_at = now() where id = :id".formatted(status),
                    target.executorId());
        }

        private BooleanSupplier dueJob() {
            long id = job(new Schedule.FixedRate(Duration.ofHours(1)));
            change("update orth_job set next_fire_at = now() - interval '1 second' where id = :id", id);
            return () -> count("select count(*) from orth_run_all where job_id = :id", id) > 0;
        }

        private BooleanSupplier jobThatAwaitsNothing() {
            long id = job(new Schedule.FixedDelay(Duration.ofHours(1)));
            change("update orth_job set next_fire_at = null, awaited_run = 1 where id = :id", id);
            return () -> count("select count(*) from orth_job where id = :id and next_fire_at is not null", id) == 1;
        }

        private long job(Schedule schedule) {
            return admin.job(group, name, schedule, MisfirePolicy.FIRE_ONCE).id();
        }

        private BooleanSupplier messageLost() {
            long run = submitted();
            forgetMessage();
            change("update orth_pipeline_task set status_at = now() - interval '1 hour' where root_id = :id", run);
            return this::hasMessage;
        }

        /** As admins left it that parked an entry and did not fail its task. */
        private BooleanSupplier messageParked() {
            long run = submittedAnd("parked_at = now()");
            change("update orth_pipeline_task set status_at = now() - interval '1 hour' where root_id = :id", run);
            change("update orth_pipeline_run set look_at = now(), audit_at = now() where id = :id", run);
            return this::hasMessage;
        }

        /** The next attempt is the last one. */
        private BooleanSupplier unsendable() {
            long run = submittedAnd("destination = 'no such/queue', attempts = 9");
            return isNot("PENDING", "select status from orth_pipeline_task where root_id = :id", run);
        }

        /** Before anything can be sent, its entry in the outbox is changed. */
        private long submittedAnd(String change) {
            admin.pipelines.define(name, name);
            return admin.transactions.call(() -> {
                long run = admin.pipelines.submit(name, "math");
                change("update orth_outbox set " + change + " where root_id = :id", run);
                return run;
            });
        }

        private BooleanSupplier tasksEnded() {
            long run = submitted();
            change("update orth_pipeline_run set status = 'RUNNING', started_at = now() where id = :id", run);
            change("update orth_pipeline_task set status = 'COMPLETED', finished_at = now() where root_id = :id", run);
            return isNot("RUNNING", "select status from orth_pipeline_run where id = :id", run);
        }

        private BooleanSupplier failedLongAgo() {
            long run = submitted();
            change(
                    "update orth_pipeline_run set status = 'FAILED', settled = true,"
                            + " finished_at = now() - interval '2 years' where id = :id",
                    run);
            change("update orth_pipeline_task set status = 'FAILED', finished_at = now() where root_id = :id", run);
            return () -> count(
                            "select (select count(*) from orth_pipeline_run where id = :id)"
                                    + " + (select count(*) from orth_pipeline_task where root_id = :id)",
                            run)
                    == 0;
        }

        private BooleanSupplier taskOfDead(String status) {
            BooleanSupplier over = task(status);
            gone("DEAD");
            return over;
        }

        private BooleanSupplier finishedTask() {
            BooleanSupplier over = task("RUNNING");
            executor.finished(
                    jdbc.sql(
                                    "select m.log_id from orth_message m join orth_queue q on q.id = m.queue_id where q.name = :name")
                            .param("name", "q." + name)
                            .query(Long.class)
                            .single(),
                    Codes.SUCCESS,
                    null);
            return over;
        }

        private BooleanSupplier task(String status) {
            long run = submitted();
            ClaimedMessage claimed =
                    admin.queues.claim("q." + name, target.executorId(), 1).get(0);
            jdbc.sql("update orth_message set status_at = status_at - interval '1 hour' where id = :id")
                    .param("id", claimed.id())
                    .update();
            change("update orth_pipeline_run set status = 'RUNNING', started_at = now() where id = :id", run);
            jdbc.sql(
                            "update orth_pipeline_task set status = :status, executor_id = :executor, log_id = :log, attempts = 1,"
                                    + " locked_at = now(), status_at = now() - interval '1 hour' where root_id = :run")
                    .param("status", status)
                    .param("executor", target.executorId())
                    .param("log", claimed.logId())
                    .param("run", run)
                    .update();
            return isNot(status, "select status from orth_pipeline_task where root_id = :id", run);
        }

        /** Its only task has a message. */
        private long submitted() {
            admin.pipelines.define(name, name);
            long run = admin.pipelines.submit(name, "math");
            await(this::hasMessage);
            change("update orth_pipeline_run set look_at = now(), audit_at = now() where id = :id", run);
            return run;
        }

        private boolean hasMessage() {
            return count(
                            "select count(*) from orth_message m join orth_queue q on q.id = m.queue_id"
                                    + " where q.name = 'q.' || :name and :id = 0",
                            0)
                    > 0;
        }

        private void forgetMessage() {
            jdbc.sql("delete from orth_message where queue_id = (select id from orth_queue where name = :name)")
                    .param("name", "q." + name)
                    .update();
        }

        private BooleanSupplier operation() {
            long id = jdbc.sql("insert into orth_operation (action, status, kind, last_no, total, reason, created_by)"
                            + " values ('RETRY', 'RUNNING', 'MESSAGE', 0, 0, '', 'ann') returning id")
                    .query(Long.class)
                    .single();
            return isNot("RUNNING", "select status from orth_operation where id = :id", id);
        }

        private BooleanSupplier alarm() {
            return isNot("PENDING", "select status from orth_alarm where id = :id", dueAlarm());
        }

        private BooleanSupplier failedUnnoticed() {
            return alarmIsNot(RunAlarm.UNDECIDED, failed());
        }

        private BooleanSupplier named() {
            long run = failed();
            jdbc.sql("insert into orth_alarm_run (alarm_id, channel_id, run_id)"
                            + " select id, channel_id, :run from orth_alarm where id = :alarm")
                    .param("run", run)
                    .param("alarm", dueAlarm())
                    .update();
            change("update orth_run_history set alarm_status = -1 where id = :id", run);
            return alarmIsNot(RunAlarm.TAKEN, run);
        }

        private BooleanSupplier namedByNone() {
            long run = failed();
            change("update orth_run_history set alarm_status = -1 where id = :id", run);
            return alarmIsNot(RunAlarm.TAKEN, run);
        }

        private long failed() {
            Run run = admin.pendingRun(group, target);
            admin.callbacks.take(group.id(), List.of(new CallbackItem(run.id(), 0, Codes.FAIL, "broken", name)));
            return run.id();
        }

        private BooleanSupplier alarmIsNot(RunAlarm state, long run) {
            return isNot(
                    String.valueOf(state.code()),
                    "select alarm_status::text from orth_run_history where id = :id",
                    run);
        }

        /** An alarm that is due, and whose sender has stopped. */
        private long dueAlarm() {
            long channel = jdbc.sql("insert into orth_alarm_channel (name, kind, target, every_failure, window_seconds,"
                            + " everything, enabled) values (:name, 'WEBHOOK', 'http://127.0.0.1:9/', false, 0, false, true)"
                            + " returning id")
                    .param("name", name)
                    .query(Long.class)
                    .single();
            return jdbc.sql("insert into orth_alarm (channel_id, send_at, lease_until)"
                            + " values (:channel, now() - interval '1 hour', now() - interval '1 second') returning id")
                    .param("channel", channel)
                    .query(Long.class)
                    .single();
        }

        private static MessageSpec message(Duration delay, String group) {
            return new MessageSpec(
                    "hello", Lane.DEFAULT, null, delay, null, null, group, 3, null, Map.of(), null, null);
        }

        private static void await(BooleanSupplier condition) {
            Awaitility.await().atMost(60, TimeUnit.SECONDS).until(condition::getAsBoolean);
        }

        private void change(String sql, long id) {
            jdbc.sql(sql).param("id", id).update();
        }

        private BooleanSupplier isNot(String state, String sql, long id) {
            planted = new Planted(id);
            return () ->
                    !jdbc.sql(sql).param("id", id).query(String.class).list().equals(List.of(state));
        }

        private long count(String sql, long id) {
            return jdbc.sql(sql)
                    .params(Map.of("id", id, "name", name))
                    .query(Long.class)
                    .single();
        }
    }
}
