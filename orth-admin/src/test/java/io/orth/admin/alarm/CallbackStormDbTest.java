package io.orth.admin.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.alarm.ChannelSpec.Watch;
import io.orth.admin.completion.CompletionFixture;
import io.orth.admin.job.AfterRun;
import io.orth.admin.job.ChildJob;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Acceptance;
import io.orth.admin.run.CallbackIntake;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.Runs;
import io.orth.admin.run.SendIntent;
import io.orth.admin.run.TriggerType;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sixteen threads deliver every result a hundred times, in random order and batches, to two admins over one database, while alarms
 * are created and sent. Each effect of a run happens once.
 */
@Tag("must-runs")
class CallbackStormDbTest {

    private static final int RUNS = 60;
    private static final int TIMES = 100;
    private static final int THREADS = 16;
    private static final String INSTANCE = "instance";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final List<AlarmMessage> sent = new CopyOnWriteArrayList<>();
    private AdminFixture first;
    private AdminFixture second;
    private ExecutorGroup group;
    private Target executor;
    private Runs runs;
    private List<CallbackIntake> intakes;
    private List<Runnable> alarmDuties;
    private Job child;
    private Job parent;

    @BeforeEach
    void setUp() {
        first = AdminFixture.onEmptied(db);
        second = new AdminFixture(db);
        group = first.group("group");
        executor = first.executor(group, INSTANCE, "http://127.0.0.1:9999");
        runs = new Runs(first.jdbc, completion(first), first.runIds, first.transactions);
        intakes = List.of(intake(first), intake(second));
        alarmDuties = new ArrayList<>(List.of(alarms(first), alarms(second)));
        child = first.jobs.create(spec("child", AfterRun.NOTHING), true);
        parent = first.jobs.create(
                spec(
                        "parent",
                        new AfterRun(
                                new RetryPolicy(2, Backoff.doubling(Duration.ofHours(1), Duration.ofHours(1))),
                                List.of(new ChildJob(child.id(), ChildJob.Pass.RESULT, null)))),
                true);
        new Alarms(
                        new ChannelRepository(first.jdbc),
                        new AlarmRepository(first.jdbc, first.changes),
                        null,
                        first.transactions)
                .create(new ChannelSpec(
                        "ops",
                        ChannelKind.SLACK,
                        "https://example.org/x",
                        null,
                        null,
                        true,
                        Duration.ZERO,
                        new Watch(true, Set.of(), Set.of()),
                        true));
    }

    @Test
    void finishesFiresRetriesAndNotifiesOncePerRun() throws Exception {
        List<Run> pending = pendingRuns();
        storm(pending);
        first.jdbc
                .sql("update orth_alarm set send_at = now(), lease_until = null where status = 'PENDING'")
                .update();
        alarmDuties.forEach(Runnable::run);

        assertThat(counts("""
                select t.entity_id, count(*) from orth_transition t join orth_run_all r on r.id = t.entity_id
                 where t.entity = 'RUN' and r.job_id = %d and r.retry_of is null and t.cause = 'CALLBACK'
                 group by t.entity_id
                """.formatted(parent.id()))).hasSize(RUNS).containsOnly(1);
        assertThat(counts("select parent_run, count(*) from orth_run_all where job_id = %d group by parent_run"
                        .formatted(child.id())))
                .hasSize(RUNS / 2)
                .containsOnly(1);
        assertThat(counts("select retry_of, count(*) from orth_run_all where retry_of is not null group by retry_of"))
                .hasSize(RUNS / 2)
                .containsOnly(1);
        assertThat(counts("select run_id, count(*) from orth_alarm_run group by run_id"))
                .hasSize(RUNS / 2)
                .containsOnly(1);
        assertThat(sent.stream().mapToLong(AlarmMessage::count).sum()).isEqualTo(RUNS / 2);
        assertThat(first.jdbc
                        .sql("select distinct alarm_status from orth_run_all where status = 'FAILED'")
                        .query(Integer.class)
                        .list())
                .containsExactly(2);
    }

    private void storm(List<Run> pending) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int seed = thread;
                done.add(threads.submit(() -> deliver(seed, pending, start)));
            }
            for (Future<?> one : done) {
                one.get(120, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** This thread's share of the deliveries, shuffled over all runs; sometimes runs the alarm loops. */
    private Void deliver(int seed, List<Run> pending, CyclicBarrier start) throws Exception {
        Random random = new Random(seed);
        List<CallbackItem> all = new ArrayList<>();
        int copies = TIMES / THREADS + (seed < TIMES % THREADS ? 1 : 0);
        for (int copy = 0; copy < copies; copy++) {
            pending.forEach(run -> all.add(result(run)));
        }
        Collections.shuffle(all, random);
        start.await();
        for (int from = 0; from < all.size(); ) {
            int to = Math.min(all.size(), from + 1 + random.nextInt(40));
            intakes.get(random.nextInt(2)).take(group.id(), all.subList(from, to));
            from = to;
            if (random.nextInt(10) == 0) {
                alarmDuties.get(random.nextInt(2)).run();
            }
        }
        return null;
    }

    private static CallbackItem result(Run run) {
        int code = Integer.parseInt(run.traceId()) % 2 == 0 ? Codes.SUCCESS : Codes.FAIL;
        return new CallbackItem(run.id(), 0, code, "result of " + run.traceId(), INSTANCE);
    }

    /** Two thirds of the runs have no acceptance recorded: their results overtake it. */
    private List<Run> pendingRuns() {
        List<Run> pending = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            Run run = runs.create(
                            List.of(NewRun.of(parent, "", TriggerType.MANUAL, null, Integer.toString(i))),
                            AdminFixture.CLAIM)
                    .get(0);
            runs.intend(
                    List.of(new SendIntent(run.id(), 0, executor.executorId(), executor.address())),
                    AdminFixture.CLAIM);
            if (i % 3 == 0) {
                runs.accept(List.of(Acceptance.of(runs.get(run.id()), "accepted")), RunCause.ACCEPTED);
            }
            pending.add(run);
        }
        return pending;
    }

    private static StateChanges completion(AdminFixture admin) {
        return new CompletionFixture(admin, Clock.systemUTC()).changes;
    }

    private static CallbackIntake intake(AdminFixture admin) {
        return new CallbackIntake(admin.jdbc, completion(admin), admin.transactions);
    }

    private Runnable alarms(AdminFixture admin) {
        AlarmRepository repository = new AlarmRepository(admin.jdbc, admin.changes);
        ChannelRepository channels = new ChannelRepository(admin.jdbc);
        AlarmPost post = new AlarmPost(
                repository, new Keeping(), new Installation("", "external", Path.of(".")), Clock.systemUTC(), "");
        AlarmMonitor monitor = new AlarmMonitor(repository, channels, admin.transactions);
        AlarmSender sender = new AlarmSender(
                repository,
                channels,
                post,
                Runnable::run,
                admin.transactions,
                new AlarmProperties(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(10),
                        5,
                        new AlarmProperties.Delays(Duration.ofSeconds(10), 2, Duration.ofMinutes(10), 0),
                        Duration.ofDays(30),
                        List.of(),
                        "",
                        new AlarmProperties.Mail("", 587, "", "", "", AlarmProperties.Encryption.NONE)),
                admin.systemLog);
        return () -> {
            monitor.run();
            sender.run();
        };
    }

    private JobSpec spec(String name, AfterRun after) {
        return JobSpecs.of(name, group.id(), "handler", "", new Schedule.None(), MisfirePolicy.FIRE_ONCE)
                .followedBy(after);
    }

    private List<Integer> counts(String sql) {
        return first.jdbc.sql(sql).query((row, n) -> row.getInt(2)).list();
    }

    /** Records the messages. */
    private final class Keeping implements AlarmTransport {

        @Override
        public void send(ChannelSpec channel, AlarmMessage message) {
            sent.add(message);
        }
    }
}
