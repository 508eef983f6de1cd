package io.orth.admin.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobChanged;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Refusal;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunFilter;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import io.orth.admin.triggering.TriggersFixture;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FixedDelaysDbTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Schedule TEN_SECONDS_AFTER = new Schedule.FixedDelay(Duration.ofSeconds(10));

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at(NOON.toString());
    private final List<Object> events = new ArrayList<>();
    private AdminFixture admin;
    private ExecutorGroup group;
    private Runs runs;
    private ScheduleScanner scanner;
    private AwaitedRunRescuer rescuer;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db, clock);
        group = admin.group("group");
        FixedDelays delays = new FixedDelays(admin.dueJobs, clock, events::add);
        runs = new Runs(
                admin.jdbc,
                new StateChanges(admin.journal).followedBy(List.of(delays)),
                admin.runIds,
                admin.transactions);
        scanner = SchedulingFixture.scanner(
                admin,
                runs,
                new TriggersFixture(admin),
                clock,
                SchedulingFixture.properties(100, Duration.ofSeconds(5), 20, 1_000));
        rescuer = new AwaitedRunRescuer(admin.dueJobs, admin.transactions, clock);
    }

    @Test
    @Tag("must-runs")
    void firesDelayAfterPreviousRunFinishes() {
        Job job = job(TEN_SECONDS_AFTER);
        assertThat(job.nextFireAt()).isEqualTo(NOON.plusSeconds(10));
        clock.advance(Duration.ofSeconds(10));
        scanner.run();

        assertThat(next(job)).isNull();
        clock.advance(Duration.ofHours(1));
        scanner.run();
        assertThat(runsOf(job)).hasSize(1);
        end(runsOf(job).get(0));

        assertThat(next(job)).isEqualTo(clock.instant().plusSeconds(10));
        assertThat(events).containsExactly(new JobChanged(job.id()));
        clock.advance(Duration.ofSeconds(10));
        scanner.run();
        assertThat(runsOf(job)).hasSize(2).extracting(Run::triggerType).containsOnly(TriggerType.SCHEDULE);
    }

    @Test
    void continuesAfterLostRun() {
        Job job = job(TEN_SECONDS_AFTER);
        clock.advance(Duration.ofSeconds(10));
        scanner.run();
        Run run = runsOf(job).get(0);

        runs.giveUp(List.of(run), "gone");

        assertThat(next(job)).isEqualTo(clock.instant().plusSeconds(10));
    }

    @Test
    void ignoresOtherRunsOfJob() {
        Job job = job(TEN_SECONDS_AFTER);
        clock.advance(Duration.ofSeconds(10));
        scanner.run();
        NewRun byHand = NewRun.of(job, "", TriggerType.MANUAL, null, null);

        end(runs.create(List.of(byHand), AdminFixture.CLAIM).get(0));

        assertThat(next(job)).isNull();
        assertThat(events).isEmpty();
    }

    @Test
    void keepsWaitingAfterRollback() {
        Job job = job(TEN_SECONDS_AFTER);
        clock.advance(Duration.ofSeconds(10));
        scanner.run();
        Run run = runsOf(job).get(0);

        assertThatThrownBy(() -> admin.transactions.run(() -> {
                    end(run);
                    throw new IllegalStateException("cut before the commit");
                }))
                .hasMessage("cut before the commit");

        assertThat(next(job)).isNull();
        assertThat(events).isEmpty();
        rescuer.run();
        assertThat(next(job)).isNull();
    }

    @Test
    @Tag("must-runs")
    void rescuerFreesJobOfMissingRun() {
        Job job = job(TEN_SECONDS_AFTER);
        clock.advance(Duration.ofSeconds(10));
        scanner.run();
        rescuer.run();
        assertThat(next(job)).isNull();

        admin.jdbc.sql("delete from orth_run").update();
        rescuer.run();

        assertThat(next(job)).isEqualTo(clock.instant().plusSeconds(10));
    }

    @Test
    void resumedJobWaitsForItsRunningRun() {
        Job job = job(TEN_SECONDS_AFTER);
        clock.advance(Duration.ofSeconds(10));
        scanner.run();

        admin.jobs.pause(job.id());
        admin.jobs.resume(job.id());
        assertThat(next(job)).isNull();
        end(runsOf(job).get(0));

        assertThat(next(job)).isEqualTo(clock.instant().plusSeconds(10));
    }

    @Test
    void resumedJobCountsDelayFromResume() {
        Job job = job(TEN_SECONDS_AFTER);
        clock.advance(Duration.ofSeconds(10));
        scanner.run();

        admin.jobs.pause(job.id());
        end(runsOf(job).get(0));
        assertThat(next(job)).isNull();
        clock.advance(Duration.ofMinutes(1));
        admin.jobs.resume(job.id());

        assertThat(next(job)).isEqualTo(clock.instant().plusSeconds(10));
    }

    @Test
    void changedScheduleDoesNotWait() {
        Job job = job(TEN_SECONDS_AFTER);
        clock.advance(Duration.ofSeconds(10));
        scanner.run();

        admin.jobs.update(job.id(), job.version(), spec(new Schedule.FixedRate(Duration.ofSeconds(3))), true);

        assertThat(next(job)).isEqualTo(clock.instant().plusSeconds(3));
        end(runsOf(job).get(0));
        assertThat(next(job)).isEqualTo(clock.instant().plusSeconds(3));
    }

    @Test
    void continuesIfFireTimeAlreadyHasRun() {
        Job job = job(TEN_SECONDS_AFTER);
        runs.create(List.of(NewRun.of(job, "", TriggerType.BACKFILL, job.nextFireAt(), null)), AdminFixture.CLAIM);
        clock.advance(Duration.ofSeconds(10));

        scanner.run();

        assertThat(next(job)).isEqualTo(clock.instant().plusSeconds(10));
        assertThat(runsOf(job)).hasSize(1);
    }

    @Test
    void stopsAfterLastRunOfWindow() {
        Job job = job(TEN_SECONDS_AFTER.within(null, NOON.plusSeconds(15)));
        clock.advance(Duration.ofSeconds(10));
        scanner.run();
        end(runsOf(job).get(0));
        clock.advance(Duration.ofSeconds(10));

        scanner.run();

        assertThat(runsOf(job)).hasSize(1);
        assertThat(admin.jobs.get(job.id()).stopReason()).isEqualTo("its window ended at 2030-01-01T12:00:15Z");
    }

    private void end(Run run) {
        runs.refuse(List.of(Refusal.of(runs.get(run.id()), "no executor")));
    }

    private Instant next(Job job) {
        return admin.jobs.get(job.id()).nextFireAt();
    }

    private Job job(Schedule schedule) {
        return admin.jobs.create(spec(schedule), true);
    }

    private JobSpec spec(Schedule schedule) {
        return JobSpecs.of("job", group.id(), "handler", "param", schedule, MisfirePolicy.FIRE_ONCE);
    }

    private List<Run> runsOf(Job job) {
        return runs.list(new RunFilter(job.id(), null, null, null, null, Long.MAX_VALUE, 100));
    }
}
