package io.orth.admin;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.job.DecisionLedger;
import io.orth.admin.job.DueJobs;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSources;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.JobWork;
import io.orth.admin.job.Jobs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.NodeLease;
import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.kernel.TransitionListener;
import io.orth.admin.pipeline.PipelineFixture;
import io.orth.admin.pipeline.PipelineRunWork;
import io.orth.admin.pipeline.TaskMessageWork;
import io.orth.admin.queue.QueueFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.ExecutorHistory;
import io.orth.admin.registry.ExecutorWork;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Groups;
import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.ForeignLosses;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.RunLosses;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.RunTurns;
import io.orth.admin.run.RunWork;
import io.orth.admin.run.Runs;
import io.orth.admin.run.SendIntent;
import io.orth.admin.run.TriggerType;
import io.orth.admin.transition.TransitionJournal;
import io.orth.admin.transition.TransitionMetrics;
import io.orth.admin.transition.WorkSource;
import io.orth.protocol.Registration;
import io.orth.testkit.TestDatabase;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The admin's features assembled by hand over a test database, with the rows that tests start with. */
public final class AdminFixture {

    public static final Duration CLAIM = Duration.ofSeconds(10);
    /** Longer than any test: the fixture's node does not renew its lease. */
    private static final Duration LEASE = Duration.ofMinutes(15);

    public static final RegistryProperties REGISTRY = new RegistryProperties(
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofMinutes(10),
            Duration.ofDays(7),
            Duration.ofHours(24),
            Duration.ofSeconds(30),
            Duration.ofDays(7),
            List.of());

    public final JdbcClient jdbc;
    public final Transactions transactions;
    /** A lease that is not renewed automatically, for tests that run longer than it lasts. */
    public final NodeLease lease;

    public final PublishedLines systemLog = new PublishedLines();
    public final Node node = new Node("test-host:1:abc", "test-host", 1, "test");
    public final TransitionJournal journal;
    /** Journalled, and followed by nothing. */
    public final StateChanges changes;

    public final List<WorkSource> workSources;
    public final Groups groups;
    public final Executors executors;
    public final DecisionLedger ledger;
    public final ExecutorHistory history;
    public final Jobs jobs;
    public final JobSources sources;
    public final DueJobs dueJobs;
    public final RunIdGenerator runIds;
    public final Runs runs;
    public final RunKills kills;
    public final RunTurns turns;
    public final CallbackIntake callbacks;
    public final ForeignLosses foreignLosses;
    public final QueueFixture queues;
    public final PipelineFixture.Carried carried;
    public final PipelineFixture pipelines;

    public AdminFixture(TestDatabase db) {
        this(db, Clock.systemUTC());
    }

    /** On a database that tests of a class share: takes away what the one before left. */
    public static AdminFixture onEmptied(TestDatabase db) {
        return onEmptied(db, Clock.systemUTC());
    }

    public static AdminFixture onEmptied(TestDatabase db, Clock clock) {
        JdbcClient jdbc = JdbcClient.create(db.dataSource());
        jdbc.sql(
                        "truncate orth_message, orth_message_inbox, orth_message_completion, orth_push, orth_message_history, orth_message_group, orth_message_key, orth_dead_letter, orth_queue, orth_queue_limit, orth_queue_worker, orth_queue_tally, orth_queue_report, orth_queue_total, orth_transition_pack, orth_run, orth_run_history, orth_run_tally, orth_run_report, orth_transition, orth_journal, orth_sink, orth_writer, orth_decision, orth_job, orth_deleted_job, orth_job_child, orth_alarm_channel, orth_alarm_watch, orth_alarm, orth_alarm_run, orth_job_source, orth_executor_sample, orth_executor, orth_executor_group, orth_lease, orth_route_use, orth_job_declaration, orth_declaring, orth_declared_set, orth_system_log, orth_queue_alert_rule, orth_queue_alert_state, orth_queue_alert, orth_alarm_notice, orth_dead_letter_tally, orth_dead_letter_group, orth_operation, orth_pipeline, orth_pipeline_version, orth_pipeline_stage, orth_pipeline_run, orth_pipeline_run_meta, orth_pipeline_task_meta, orth_pipeline_progress, orth_pipeline_delta, orth_pipeline_task, orth_pipeline_proposal, orth_revocation, orth_outbox, orth_execution_log, orth_content_log, orth_imported_job, orth_alarm_pipeline_run restart identity")
                .update();
        // Each fixture reserves ids for the length of its lease under one of 64 numbers. Tests that are quicker than
        // that would run out.
        jdbc.sql("""
                update orth_node
                   set expires_at = '-infinity',
                       id_high_water = least(id_high_water, (extract(epoch from now() - timestamptz '2026-01-01T00:00:00Z') * 1000)::bigint)
                """).update();
        return new AdminFixture(db, clock);
    }

    public AdminFixture(TestDatabase db, Clock clock) {
        this(db.dataSource(), clock);
    }

    /** {@code clock} rules the due times; ids and leases go by the database's time. */
    public AdminFixture(DataSource database, Clock clock) {
        jdbc = JdbcClient.create(database);
        transactions = new Transactions(new TransactionTemplate(new JdbcTransactionManager(database)));
        workSources = List.of(
                new RunWork(jdbc),
                new ExecutorWork(jdbc),
                new JobWork(jdbc),
                QueueFixture.messages(jdbc),
                PipelineFixture.tasks(jdbc),
                new PipelineRunWork(jdbc),
                new TaskMessageWork(jdbc));
        LastWrites writes = new LastWrites(database);
        journal = new TransitionJournal(
                jdbc, writes, node, workSources, new TransitionMetrics(new SimpleMeterRegistry()));
        changes = new StateChanges(journal).followedBy(List.of());
        groups = new Groups(jdbc, transactions);
        executors = new Executors(jdbc, changes, transactions, REGISTRY, systemLog);
        ledger = new DecisionLedger(jdbc);
        jobs = new Jobs(jdbc, changes, ledger, transactions, clock, event -> {});
        sources = new JobSources(jdbc);
        history = new ExecutorHistory(jdbc);
        dueJobs = new DueJobs(jdbc, changes);
        lease = new NodeLease(jdbc, node, Ticker.system(), LEASE);
        runIds = new RunIdGenerator(lease, Clock.systemUTC());
        runs = new Runs(jdbc, changes, runIds, transactions);
        kills = new RunKills(jdbc, changes, transactions);
        turns = new RunTurns(jdbc, changes, transactions);
        callbacks = new CallbackIntake(jdbc, changes, transactions);
        foreignLosses = new ForeignLosses(jdbc, changes, transactions);
        carried = new PipelineFixture.Carried(jdbc, changes, runIds);
        queues = new QueueFixture(jdbc, writes, changes, transactions, runIds, clock, carried.work());
        pipelines = new PipelineFixture(this);
    }

    public RunLosses losses(Clock clock) {
        return new RunLosses(jdbc, changes, transactions, clock);
    }

    public ExecutorGroup group(String name) {
        return groups.create(name, name);
    }

    /** Registers an instance under {@code group} and returns how to reach it. */
    public Target executor(ExecutorGroup group, String instanceId, String address) {
        register(group, instanceId, address, false);
        return target(instanceId);
    }

    public void register(ExecutorGroup group, String instanceId, String address, boolean leftoversDelivered) {
        Registration.Instance instance = new Registration.Instance(instanceId, "host", 7, "test", leftoversDelivered);
        executors.register(
                group.id(), new Registration(group.name(), address, instance), InetAddress.getLoopbackAddress());
    }

    /** Registers an executor that speaks only XXL-JOB's wire and returns how to reach it. */
    public Target foreignExecutor(ExecutorGroup group, String address) {
        executors.registerForeign(group.id(), address, InetAddress.getLoopbackAddress());
        return executors.online(List.of(group.id())).get(group.id()).stream()
                .filter(online -> address.startsWith(online.address()))
                .findFirst()
                .orElseThrow();
    }

    public Target target(String instanceId) {
        long id = jdbc.sql("select id from orth_executor where instance_id = :instance")
                .param("instance", instanceId)
                .query(Long.class)
                .single();
        return executors.targets(List.of(id)).get(0);
    }

    public Job job(ExecutorGroup group, String name, Schedule schedule, MisfirePolicy misfire) {
        return jobs.create(JobSpecs.of(name, group.id(), "handler", "param", schedule, misfire), true);
    }

    public Run unsentRun(ExecutorGroup group) {
        return runs.create(List.of(newRun(group, null)), CLAIM).get(0);
    }

    public static NewRun newRun(ExecutorGroup group, Instant scheduleTime) {
        TriggerType type = scheduleTime == null ? TriggerType.MANUAL : TriggerType.SCHEDULE;
        return new NewRun(
                1,
                "job",
                group.id(),
                "handler",
                "param",
                type,
                scheduleTime,
                JobSpecs.PLAIN,
                null,
                "trace",
                Route.DEFAULT);
    }

    /** A run whose intent to be sent to {@code target} is committed. */
    public Run intendedRun(ExecutorGroup group, Target target) {
        Run run = unsentRun(group);
        runs.intend(List.of(new SendIntent(run.id(), run.dispatch(), target.executorId(), target.address())), CLAIM);
        return runs.get(run.id());
    }

    public Run pendingRun(ExecutorGroup group, Target target) {
        Run run = intendedRun(group, target);
        runs.accept(List.of(Acceptance.of(run, "accepted")), RunCause.ACCEPTED);
        return runs.get(run.id());
    }

    public RunStatus statusOf(Run run) {
        return runs.get(run.id()).status();
    }

    /** The run's journal, as {@code FROM->TO CAUSE} lines. */
    public List<String> journalOf(Run run) {
        return journal.list(EntityKind.RUN, run.id()).stream()
                .map(t -> "%s->%s %s".formatted(t.from(), t.to(), t.cause()))
                .toList();
    }

    public List<String> journalOf(Target target) {
        return journal.list(EntityKind.EXECUTOR, target.executorId()).stream()
                .map(t -> "%s->%s %s".formatted(t.from(), t.to(), t.cause()))
                .toList();
    }

    public String executorStatus(Target target) {
        return jdbc.sql("select status from orth_executor where id = :id")
                .param("id", target.executorId())
                .query(String.class)
                .single();
    }

    /** Changes of status with a listener that throws if one of these changes its own. */
    public StateChanges refusing(EntityKind kind, Collection<Long> ids) {
        return new StateChanges(journal).followedBy(List.of(new TransitionListener() {
            @Override
            public EntityKind entity() {
                return kind;
            }

            @Override
            public void changed(List<StateChange> changes) {
                if (changes.stream()
                        .anyMatch(change -> ids.contains(change.row().id()))) {
                    throw new IllegalStateException("not this");
                }
            }
        }));
    }

    /** Sets the executor's last heartbeat to that long ago. */
    public void silence(Target target, Duration since) {
        jdbc.sql("update orth_executor set last_beat_at = now() - make_interval(secs => :secs) where id = :id")
                .param("secs", since.toSeconds())
                .param("id", target.executorId())
                .update();
    }

    /** Makes the run that old. */
    public void age(Run run, Duration age) {
        jdbc.sql("update orth_run set created_at = created_at - make_interval(secs => :secs) where id = :id")
                .param("secs", age.toSeconds())
                .param("id", run.id())
                .update();
    }

    /** Sets back the time at which an executor was last looked for. */
    public void unwatched(Run run, Duration since) {
        jdbc.sql(
                        "update orth_run set executor_wait_at = executor_wait_at - make_interval(secs => :secs) where id = :id")
                .param("secs", since.toSeconds())
                .param("id", run.id())
                .update();
    }

    public void expireClaims() {
        jdbc.sql("update orth_run set claim_until = now() - interval '1 second'")
                .update();
    }
}
