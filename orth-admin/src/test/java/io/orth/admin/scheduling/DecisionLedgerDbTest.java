package io.orth.admin.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.job.Decision;
import io.orth.admin.job.DecisionFilter;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.LeftOut;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.job.Stretch;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.TriggersFixture;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every skipped fire is recorded with its reason. */
@Tag("must-runs")
class DecisionLedgerDbTest {

    private static final Schedule EVERY_MINUTE = new Schedule.Cron("0 * * * * ?", "UTC");
    private static final Schedule EVERY_SECOND = new Schedule.FixedRate(Duration.ofSeconds(1));
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private AdminFixture admin;
    private ExecutorGroup group;
    private ScheduleScanner scanner;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db, clock);
        group = admin.group("group");
        scanner = scanner(admin.runs);
    }

    @Test
    void recordsSkippedMisfiresAsOneEntry() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.DO_NOTHING);
        clock.advance(Duration.ofMinutes(10).plusSeconds(30));

        scanner.run();

        assertThat(decisions(job)).containsExactly("MISSED 2030-01-01T12:01:00Z..2030-01-01T12:10:00Z 10");
    }

    @Test
    void recordsCoalescedMisfiresAsOneEntry() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        clock.advance(Duration.ofMinutes(10).plusSeconds(30));

        scanner.run();

        assertThat(decisions(job)).containsExactly("MERGED 2030-01-01T12:02:00Z..2030-01-01T12:10:00Z 9");
    }

    @Test
    void recordsMisfiresBeyondCapAsOneEntry() {
        Job job = job(EVERY_SECOND, MisfirePolicy.FIRE_ALL);
        clock.advance(Duration.ofMinutes(10));

        drain();

        assertThat(decisions(job)).containsExactly("CATCH_UP_CAP 2030-01-01T12:00:31Z..2030-01-01T12:09:54Z 564");
        assertThat(count("orth_run_all")).isEqualTo(30 + 6);
    }

    @Test
    void extendsRecentEntry() {
        Job job = job(EVERY_SECOND, MisfirePolicy.DO_NOTHING);
        for (int i = 0; i < 5; i++) {
            clock.advance(Duration.ofSeconds(10));
            drain();
        }

        assertThat(decisions(job))
                .singleElement()
                .asString()
                .startsWith("MISSED 2030-01-01T12:00:01Z..2030-01-01T12:00:44Z ");
        assertThat(fires(job) + count("orth_run_all")).isEqualTo(50);
    }

    @Test
    void createsNewEntryAfterLongGap() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.DO_NOTHING);
        clock.advance(Duration.ofSeconds(90));
        drain();
        for (int minute = 2; minute <= 15; minute++) {
            clock.advance(Duration.ofSeconds(minute == 2 ? 30 : 60));
            drain();
        }
        clock.advance(Duration.ofSeconds(90));
        drain();

        assertThat(decisions(job))
                .containsExactly(
                        "MISSED 2030-01-01T12:16:00Z..2030-01-01T12:16:00Z 1",
                        "MISSED 2030-01-01T12:01:00Z..2030-01-01T12:01:00Z 1");
    }

    @Test
    void recordsPauseUntilResume() {
        Job job = job(EVERY_SECOND, MisfirePolicy.FIRE_ONCE);

        admin.jobs.pause(job.id());
        clock.advance(Duration.ofDays(1));
        assertThat(decisions(job)).containsExactly("PAUSED 2030-01-01T12:00:01Z..null null");
        admin.jobs.resume(job.id());

        assertThat(decisions(job)).containsExactly("PAUSED 2030-01-01T12:00:01Z..2030-01-02T12:00:00Z 86400");
    }

    @Test
    void recordsNoPauseWithoutFireTimes() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);

        admin.jobs.pause(job.id());
        clock.advance(Duration.ofSeconds(59));
        admin.jobs.resume(job.id());

        assertThat(decisions(job)).isEmpty();
    }

    @Test
    void recordsPauseByEditForEachSchedule() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);

        admin.jobs.update(job.id(), 1, spec(EVERY_MINUTE), false);
        clock.advance(Duration.ofMinutes(3));
        admin.jobs.update(job.id(), 2, spec(EVERY_SECOND), false);
        clock.advance(Duration.ofSeconds(5));
        admin.jobs.update(job.id(), 3, spec(EVERY_SECOND), true);

        assertThat(decisions(job))
                .containsExactly(
                        "PAUSED 2030-01-01T12:03:01Z..2030-01-01T12:03:05Z 5",
                        "PAUSED 2030-01-01T12:01:00Z..2030-01-01T12:03:00Z 3");
    }

    @Test
    void recordsPauseOfJobCreatedPaused() {
        Job job = admin.jobs.create(spec(EVERY_MINUTE), false);

        assertThat(decisions(job)).containsExactly("PAUSED 2030-01-01T12:01:00Z..null null");
    }

    @Test
    void recordsNothingForJobWithoutSchedule() {
        Job job = job(new Schedule.None(), MisfirePolicy.FIRE_ONCE);

        admin.jobs.pause(job.id());

        assertThat(decisions(job)).isEmpty();
    }

    @Test
    void recordsFiresDueBeforeScheduleChange() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        clock.advance(Duration.ofSeconds(121));

        admin.jobs.update(job.id(), 1, spec(EVERY_SECOND), true);

        assertThat(decisions(job)).containsExactly("RESCHEDULED 2030-01-01T12:01:00Z..2030-01-01T12:02:00Z 2");
    }

    @Test
    void recordsNothingForOtherEdits() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        clock.advance(Duration.ofSeconds(121));

        admin.jobs.update(
                job.id(), 1, JobSpecs.of("renamed", group.id(), "h", "", EVERY_MINUTE, MisfirePolicy.FIRE_ALL), true);

        assertThat(decisions(job)).isEmpty();
    }

    @Test
    void recordsFiresBeforeWindow() {
        Job job = job(EVERY_MINUTE.within(NOON.plusSeconds(180), null), MisfirePolicy.FIRE_ONCE);

        assertThat(decisions(job)).containsExactly("OUTSIDE_WINDOW 2030-01-01T12:01:00Z..2030-01-01T12:02:00Z 2");
    }

    @Test
    void recordsFiresAfterWindowUntilJobIsChanged() {
        Schedule untilTwoPast = EVERY_MINUTE.within(null, NOON.plusSeconds(130));
        Job job = job(untilTwoPast, MisfirePolicy.FIRE_ALL);
        clock.advance(Duration.ofSeconds(122));
        drain();

        Job stopped = admin.jobs.get(job.id());
        assertThat(stopped.stopReason()).isEqualTo("its window ended at 2030-01-01T12:02:10Z");
        assertThat(decisions(job)).containsExactly("OUTSIDE_WINDOW 2030-01-01T12:03:00Z..null null");
        clock.advance(Duration.ofMinutes(5));
        admin.jobs.update(job.id(), stopped.version(), spec(EVERY_MINUTE), true);

        assertThat(decisions(job)).containsExactly("OUTSIDE_WINDOW 2030-01-01T12:03:00Z..2030-01-01T12:07:00Z 5");
    }

    @Test
    void recordsStartOfUnreadableSchedule() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        admin.jdbc.sql("update orth_job set zone = 'Mars/Olympus'").update();
        clock.advance(Duration.ofSeconds(60));

        scanner.run();

        assertThat(decisions(job)).containsExactly("UNREADABLE 2030-01-01T12:01:00Z..null null");
        clock.advance(Duration.ofMinutes(5));
        admin.jobs.update(job.id(), 2, spec(EVERY_MINUTE), true);
        assertThat(decisions(job)).containsExactly("UNREADABLE 2030-01-01T12:01:00Z..2030-01-01T12:06:00Z null");
    }

    @Test
    void recordsNothingForFireOnTime() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.DO_NOTHING);
        clock.advance(Duration.ofSeconds(65));

        drain();

        assertThat(decisions(job)).isEmpty();
        assertThat(count("orth_run_all")).isEqualTo(1);
    }

    @Test
    void recordsNothingForFailedPass() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        clock.advance(Duration.ofMinutes(10));
        Runs broken = new Runs(
                admin.jdbc,
                new StateChanges(changes -> {
                            throw new IllegalStateException("cut");
                        })
                        .followedBy(List.of()),
                admin.runIds,
                admin.transactions);

        assertThatThrownBy(scanner(broken)::run).hasMessage("cut");

        assertThat(decisions(job)).isEmpty();
    }

    @Test
    void filtersListByJobReasonAndTime() {
        Job one = job("one", EVERY_MINUTE, MisfirePolicy.DO_NOTHING);
        Job other = job("other", EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        clock.advance(Duration.ofMinutes(10).plusSeconds(30));
        drain();
        admin.jobs.pause(other.id());

        assertThat(list(null, null, null, null)).hasSize(3);
        assertThat(list(one.id(), null, null, null)).hasSize(1);
        assertThat(list(null, DecisionReason.PAUSED, null, null)).hasSize(1);
        assertThat(list(null, null, NOON.plusSeconds(600), null)).hasSize(3);
        assertThat(list(null, null, NOON.plusSeconds(601), null)).hasSize(1);
        assertThat(list(null, null, null, NOON.plusSeconds(60))).hasSize(1);
        assertThat(list(null, null, null, NOON.plusSeconds(59))).isEmpty();
        assertThat(admin.ledger.list(new DecisionFilter(null, null, null, null, Long.MAX_VALUE, 2)))
                .hasSize(2);
    }

    @Test
    void deletesOldFinishedEntriesInChunks() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        for (int i = 0; i < 1_001; i++) {
            admin.ledger.record(
                    List.of(new LeftOut(job.id(), DecisionReason.MISSED, Stretch.of(NOON.plus(Duration.ofHours(i))))));
        }
        admin.jobs.pause(job.id());

        clock.advance(Duration.ofHours(24));
        assertThat(prune()).isZero();
        assertThat(count("orth_decision")).isEqualTo(1_002);
        clock.advance(Duration.ofHours(2_000));
        assertThat(prune()).isEqualTo(1_000);
        assertThat(prune()).isEqualTo(1);

        assertThat(decisions(job)).containsExactly("PAUSED 2030-01-01T12:01:00Z..null null");
    }

    private int prune() {
        return admin.ledger.prune(clock.instant().minus(Duration.ofDays(1)), 1_000);
    }

    @Test
    void deletesEntriesOfDeletedJob() {
        Job job = job(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);
        admin.jobs.pause(job.id());

        admin.jobs.delete(job.id());

        assertThat(count("orth_decision")).isZero();
    }

    @Test
    void recordsEntryOfEachJobInOnePass() {
        List<Job> jobs = IntStream.range(0, 50)
                .mapToObj(n -> job("job " + n, EVERY_MINUTE, MisfirePolicy.DO_NOTHING))
                .toList();
        clock.advance(Duration.ofMinutes(3).plusSeconds(30));

        drain();

        assertThat(jobs).allSatisfy(job -> assertThat(fires(job)).isEqualTo(3));
    }

    private ScheduleScanner scanner(Runs runs) {
        return SchedulingFixture.scanner(
                admin,
                runs,
                new TriggersFixture(admin),
                clock,
                SchedulingFixture.properties(100, Duration.ofSeconds(5), 20, 30));
    }

    private void drain() {
        while (scanner.run() == Pass.MORE) {
            assertThat(count("orth_run_all")).isLessThan(10_000);
        }
    }

    private List<Decision> list(Integer jobId, DecisionReason reason, Instant from, Instant to) {
        return admin.ledger.list(new DecisionFilter(jobId, reason, from, to, Long.MAX_VALUE, 100));
    }

    private List<String> decisions(Job job) {
        return list(job.id(), null, null, null).stream()
                .map(one -> "%s %s..%s %s%s"
                        .formatted(one.reason(), one.first(), one.last(), one.fires(), one.more() ? "+" : ""))
                .toList();
    }

    private int fires(Job job) {
        return list(job.id(), null, null, null).stream()
                .mapToInt(Decision::fires)
                .sum();
    }

    private int count(String table) {
        return admin.jdbc
                .sql("select count(*) from " + table)
                .query(Integer.class)
                .single();
    }

    private Job job(Schedule schedule, MisfirePolicy misfire) {
        return job("job", schedule, misfire);
    }

    private Job job(String name, Schedule schedule, MisfirePolicy misfire) {
        return admin.job(group, name, schedule, misfire);
    }

    private JobSpec spec(Schedule schedule) {
        return JobSpecs.of("job", group.id(), "handler", "param", schedule, MisfirePolicy.FIRE_ONCE);
    }
}
