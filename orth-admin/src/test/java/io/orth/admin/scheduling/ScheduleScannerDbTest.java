package io.orth.admin.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.Execution;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunFilter;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import io.orth.admin.triggering.TriggersFixture;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.GlueType;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ScheduleScannerDbTest {

    private static final Schedule EVERY_MINUTE = new Schedule.Cron("0 * * * * ?", "UTC");
    private static final Instant FIRST = Instant.parse("2030-01-01T12:01:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:30Z");
    private AdminFixture admin;
    private TriggersFixture triggers;
    private ExecutorGroup group;
    private ScheduleScanner scanner;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db, clock);
        triggers = new TriggersFixture(admin);
        group = admin.group("group");
        scanner = scanner(3);
    }

    @Test
    void createsRunOfDueJobAndNextFireTime() {
        Job job = everyMinute("job");
        clock.advance(Duration.ofSeconds(30));

        scanner.run();

        assertThat(runsOf(job)).singleElement().satisfies(run -> {
            assertThat(run.scheduleTime()).isEqualTo(FIRST);
            assertThat(run.triggerType()).isEqualTo(TriggerType.SCHEDULE);
            assertThat(run.jobName()).isEqualTo("job");
            assertThat(run.handler()).isEqualTo("handler");
            assertThat(run.param()).isEqualTo("param");
            assertThat(admin.journalOf(run)).containsExactly("null->INIT CREATED");
        });
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isEqualTo(FIRST.plusSeconds(60));
        assertThat(admin.jobs.get(job.id()).version()).isEqualTo(job.version());
    }

    @Test
    void runKeepsExecutionAndSourceVersion() {
        Execution execution = new Execution(BlockStrategy.CONCURRENT, 4, 90, GlueType.GLUE_SHELL);
        JobSpec spec = JobSpecs.of("source", group.id(), null, "", EVERY_MINUTE, MisfirePolicy.FIRE_ONCE, execution);
        Job job = admin.jobs.create(spec, true, new SourceEdit("echo 1", "", "ann", true));
        admin.jobs.update(job.id(), job.version(), spec, true, new SourceEdit("echo 2", "", "ann", true));
        clock.advance(Duration.ofSeconds(30));

        scanner.run();

        assertThat(runsOf(job)).singleElement().satisfies(run -> {
            assertThat(run.handler()).isNull();
            assertThat(run.execution()).isEqualTo(execution);
            assertThat(run.sourceVersion()).isEqualTo(2);
        });
    }

    @Test
    void sendsRunsImmediately() {
        Job job = everyMinute("job");
        clock.advance(Duration.ofSeconds(30));

        try (FakeExecutor executor = new FakeExecutor("instance")) {
            admin.executor(group, "instance", executor.address());
            scanner.run();
            triggers.sendAll();

            assertThat(executor.received()).singleElement().satisfies(trigger -> {
                assertThat(trigger.logId()).isEqualTo(runsOf(job).get(0).id());
                assertThat(trigger.scheduleTime()).isEqualTo(FIRST.toEpochMilli());
            });
        }
    }

    @Test
    void leavesJobAloneBeforeDue() {
        Job job = everyMinute("job");
        clock.advance(Duration.ofSeconds(29).plusMillis(999));

        Pass pass = scanner.run();

        assertThat(runsOf(job)).isEmpty();
        assertThat(admin.jobs.get(job.id())).isEqualTo(job);
        assertThat(pass).isEqualTo(Pass.nextAt(FIRST));
    }

    @Test
    void ignoresPausedAndUnscheduledJobs() {
        Job paused = everyMinute("paused");
        admin.jobs.pause(paused.id());
        admin.job(group, "by hand", new Schedule.None(), MisfirePolicy.FIRE_ALL);
        clock.advance(Duration.ofHours(1));

        Pass pass = scanner.run();

        assertThat(allRuns()).isEmpty();
        assertThat(pass).isEqualTo(Pass.DRAINED);
    }

    @Test
    void firesLongestDueFirstAndRequestsAnotherPass() {
        for (int i = 0; i < 4; i++) {
            everyMinute("job " + i);
        }
        Job oldest = admin.job(group, "oldest", new Schedule.FixedRate(Duration.ofSeconds(29)), MisfirePolicy.FIRE_ALL);
        clock.advance(Duration.ofSeconds(30));

        assertThat(scanner.run()).isEqualTo(Pass.MORE);
        assertThat(runsOf(oldest)).hasSize(1);
        assertThat(allRuns()).hasSize(3);
        assertThat(scanner.run()).isEqualTo(Pass.nextAt(oldest.nextFireAt().plusSeconds(29)));
        assertThat(allRuns()).hasSize(5);
    }

    /** Each pass serves two late jobs here, so catching up takes many passes. */
    @Test
    @Tag("must-runs")
    void backlogDelaysNoJobOnTime() {
        int late = 20;
        for (int i = 0; i < late; i++) {
            admin.job(group, "late " + i, new Schedule.FixedRate(Duration.ofSeconds(1)), MisfirePolicy.FIRE_ALL);
        }
        clock.advance(Duration.ofMinutes(2));
        List<Job> punctual = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            punctual.add(admin.job(
                    group, "punctual " + i, new Schedule.FixedRate(Duration.ofMillis(100)), MisfirePolicy.FIRE_ALL));
        }
        ScheduleScanner node = scanner(5);

        for (int pass = 1; pass <= 40; pass++) {
            clock.advance(Duration.ofMillis(100));
            assertThat(node.run()).isEqualTo(Pass.MORE);
            for (Job job : punctual) {
                assertThat(admin.jobs.get(job.id()).nextFireAt()).isAfter(clock.instant());
            }
        }

        assertThat(punctual).allSatisfy(job -> assertThat(runsOf(job)).hasSize(40));
        assertThat(admin.dueJobs.next().orElseThrow()).isBefore(clock.instant().minusSeconds(10));
        drain(node);
        assertThat(allRunsOf("late")).isEqualTo(late * 124);
    }

    @Test
    void limitsLateJobsAndFiresPerPass() {
        for (int i = 0; i < 5; i++) {
            admin.job(group, "late " + i, EVERY_MINUTE, MisfirePolicy.FIRE_ALL);
        }
        clock.advance(Duration.ofHours(1));

        scanner(100).run();

        assertThat(allRuns()).hasSize(2 * 20);
    }

    @Test
    @Tag("must-runs")
    void stopsCatchingUpAtCap() {
        Job job = admin.job(group, "job", EVERY_MINUTE, MisfirePolicy.FIRE_ALL);
        clock.advance(Duration.ofHours(2));
        ScheduleScanner capped = SchedulingFixture.scanner(
                admin, admin.runs, triggers, clock, SchedulingFixture.properties(10, Duration.ofSeconds(5), 20, 50));

        drain(capped);

        assertThat(runsOf(job))
                .hasSize(50)
                .last()
                .satisfies(run -> assertThat(run.scheduleTime()).isEqualTo(FIRST.plus(Duration.ofMinutes(49))));
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isEqualTo("2030-01-01T14:01:00Z");
    }

    @Test
    @Tag("must-runs")
    void stopsOneShotAfterItsFire() {
        Job job = admin.job(group, "once", new Schedule.OneShot(FIRST), MisfirePolicy.FIRE_ONCE);
        assertThat(job.nextFireAt()).isEqualTo(FIRST);
        clock.advance(Duration.ofSeconds(30));

        scanner.run();

        Job done = admin.jobs.get(job.id());
        assertThat(runsOf(job)).extracting(Run::scheduleTime).containsExactly(FIRST);
        assertThat(done.enabled()).isFalse();
        assertThat(done.stopReason()).isEqualTo("its only fire time has passed");
        assertThat(admin.systemLog.lines())
                .containsExactly("INFO jobs stopped: once (%d): its only fire time has passed".formatted(job.id()));
    }

    @Test
    @Tag("must-runs")
    void stopsJobAfterItsWindow() {
        Job job = admin.job(group, "window", EVERY_MINUTE.within(null, FIRST), MisfirePolicy.FIRE_ONCE);
        clock.advance(Duration.ofSeconds(30));

        scanner.run();

        assertThat(runsOf(job)).hasSize(1);
        assertThat(admin.jobs.get(job.id()).stopReason()).isEqualTo("its window ended at 2030-01-01T12:01:00Z");
    }

    @Test
    void firesEveryTenthOfSecond() {
        Job job = admin.job(group, "fast", new Schedule.FixedRate(Duration.ofMillis(100)), MisfirePolicy.FIRE_ALL);

        for (int pass = 0; pass < 30; pass++) {
            clock.advance(Duration.ofMillis(100));
            assertThat(scanner.run()).isEqualTo(Pass.nextAt(clock.instant().plusMillis(100)));
        }

        assertThat(runsOf(job)).hasSize(30);
    }

    @Test
    void stopsJobAfterLastFireTime() {
        Job job = admin.job(group, "last", new Schedule.Cron("0 1 12 1 1 ? 2030", "UTC"), MisfirePolicy.FIRE_ONCE);
        clock.advance(Duration.ofSeconds(30));

        scanner.run();

        Job stopped = admin.jobs.get(job.id());
        assertThat(runsOf(job)).hasSize(1);
        assertThat(stopped.enabled()).isFalse();
        assertThat(stopped.nextFireAt()).isNull();
        assertThat(stopped.stopReason()).isEqualTo("its schedule has no further fire time");
        assertThat(stopped.version()).isEqualTo(job.version() + 1);
    }

    @Test
    void stopsOnlyJobWithUnreadableSchedule() {
        Job bad = everyMinute("bad");
        Job good = everyMinute("good");
        admin.jdbc
                .sql("update orth_job set zone = 'Mars/Olympus' where id = :id")
                .param("id", bad.id())
                .update();
        clock.advance(Duration.ofSeconds(30));

        scanner.run();

        assertThat(admin.jobs.get(bad.id()).stopReason())
                .isEqualTo("its schedule cannot be followed: schedule.zone is not a time zone: Mars/Olympus");
        assertThat(runsOf(bad)).isEmpty();
        assertThat(runsOf(good)).hasSize(1);
        assertThat(admin.jobs.get(good.id()).enabled()).isTrue();
        assertThat(admin.systemLog.lines()).singleElement().asString().startsWith("ERROR jobs stopped: bad (");
    }

    @Test
    void appliesMisfirePolicy() {
        Job none = admin.job(group, "none", EVERY_MINUTE, MisfirePolicy.DO_NOTHING);
        Job once = admin.job(group, "once", EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        Job all = admin.job(group, "all", EVERY_MINUTE, MisfirePolicy.FIRE_ALL);
        clock.advance(Duration.ofMinutes(3));

        drain(scanner(10));

        assertThat(runsOf(none)).isEmpty();
        assertThat(runsOf(once)).extracting(Run::scheduleTime).containsExactly(FIRST);
        assertThat(runsOf(all))
                .extracting(Run::scheduleTime)
                .containsExactly(FIRST, FIRST.plusSeconds(60), FIRST.plusSeconds(120));
        assertThat(allRuns()).extracting(Run::triggerType).containsOnly(TriggerType.MISFIRE);
    }

    @Test
    void createsNoSecondRunForFireTime() {
        Job job = everyMinute("job");
        admin.runs.create(
                List.of(new NewRun(
                        job.id(),
                        "job",
                        group.id(),
                        "handler",
                        "",
                        TriggerType.SCHEDULE,
                        FIRST,
                        JobSpecs.PLAIN,
                        null,
                        null,
                        Route.DEFAULT)),
                AdminFixture.CLAIM);
        clock.advance(Duration.ofSeconds(30));

        scanner.run();

        assertThat(runsOf(job)).hasSize(1);
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isEqualTo(FIRST.plusSeconds(60));
        assertThat(transitions()).isEqualTo(1);
    }

    @Test
    void failedPassChangesNothing() {
        Job job = everyMinute("job");
        clock.advance(Duration.ofSeconds(30));
        Runs broken = new Runs(
                admin.jdbc,
                new StateChanges(changes -> {
                            admin.journal.append(changes);
                            throw new IllegalStateException("cut after the journal");
                        })
                        .followedBy(List.of()),
                admin.runIds,
                admin.transactions);
        ScheduleScanner failing = SchedulingFixture.scanner(admin, broken, triggers, clock, properties(3));

        assertThatThrownBy(failing::run).hasMessage("cut after the journal");

        assertThat(allRuns()).isEmpty();
        assertThat(transitions()).isZero();
        assertThat(admin.jobs.get(job.id()).nextFireAt()).isEqualTo(FIRST);
        scanner.run();
        assertThat(runsOf(job)).hasSize(1);
    }

    @Test
    @Tag("must-queues")
    void twoNodesCreateOneRunPerFireTime() throws Exception {
        int jobs = 200;
        for (int i = 0; i < jobs; i++) {
            admin.job(group, "job " + i, EVERY_MINUTE, MisfirePolicy.FIRE_ALL);
        }
        clock.advance(Duration.ofSeconds(30 + 120));

        inParallel(() -> drain(scanner(17)), () -> drain(scanner(13)));

        assertThat(admin.jdbc
                        .sql("select job_id || ' ' || schedule_time from orth_run_all")
                        .query(String.class)
                        .list())
                .hasSize(jobs * 3)
                .doesNotHaveDuplicates();
        assertThat(transitions()).isEqualTo(jobs * 3);
        assertThat(admin.jdbc
                        .sql("select distinct next_fire_at from orth_job")
                        .query(OffsetDateTime.class)
                        .list())
                .singleElement()
                .satisfies(next -> assertThat(next.toInstant()).isEqualTo(FIRST.plusSeconds(180)));
    }

    /** A drained pass may have skipped rows locked by the other node, so this repeats until none is due. */
    private void drain(ScheduleScanner node) {
        while (admin.dueJobs.next().orElseThrow().isBefore(clock.instant().plusMillis(1))) {
            node.run();
        }
    }

    private static void inParallel(Runnable... works) throws Exception {
        CyclicBarrier start = new CyclicBarrier(works.length);
        ExecutorService threads = Executors.newFixedThreadPool(works.length);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (Runnable work : works) {
                done.add(threads.submit(() -> {
                    start.await();
                    work.run();
                    return null;
                }));
            }
            for (Future<?> one : done) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private ScheduleScanner scanner(int batchSize) {
        return SchedulingFixture.scanner(admin, admin.runs, triggers, clock, properties(batchSize));
    }

    private static SchedulingProperties properties(int batchSize) {
        return SchedulingFixture.properties(batchSize, Duration.ofSeconds(5), 20, 1_000);
    }

    private Job everyMinute(String name) {
        return admin.job(group, name, EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
    }

    /** Oldest first. */
    private List<Run> runsOf(Job job) {
        List<Run> runs =
                new ArrayList<>(admin.runs.list(new RunFilter(job.id(), null, null, null, null, Long.MAX_VALUE, 100)));
        Collections.reverse(runs);
        return runs;
    }

    private List<Run> allRuns() {
        return admin.runs.list(new RunFilter(null, null, null, null, null, Long.MAX_VALUE, 1_000));
    }

    private int allRunsOf(String namesStart) {
        return admin.jdbc
                .sql("select count(*) from orth_run_all where job_name like :start")
                .param("start", namesStart + "%")
                .query(Integer.class)
                .single();
    }

    private int transitions() {
        return admin.jdbc
                .sql("select count(*) from orth_transition where entity = 'RUN'")
                .query(Integer.class)
                .single();
    }
}
