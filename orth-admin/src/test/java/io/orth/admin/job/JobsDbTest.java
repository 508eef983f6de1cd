package io.orth.admin.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobsDbTest {

    private static final Schedule EVERY_MINUTE = new Schedule.Cron("0 * * * * ?", "UTC");
    private static final Schedule EVERY_TEN_SECONDS = new Schedule.FixedRate(Duration.ofSeconds(10));

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00.250Z");
    private final List<Object> events = new ArrayList<>();
    private AdminFixture admin;
    private Jobs jobs;
    private ExecutorGroup group;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db, clock);
        jobs = new Jobs(admin.jdbc, admin.changes, admin.ledger, admin.transactions, clock, events::add);
        group = admin.group("group");
    }

    @Test
    void newJobIsDueAtFirstFireTime() {
        Job job = jobs.create(spec("report", EVERY_MINUTE), true);

        assertThat(job.nextFireAt()).isEqualTo("2030-01-01T12:01:00Z");
        assertThat(job.spec()).isEqualTo(spec("report", EVERY_MINUTE));
        assertThat(job.groupName()).isEqualTo("group");
        assertThat(job.enabled()).isTrue();
        assertThat(job.version()).isEqualTo(1);
        assertThat(job.stopReason()).isNull();
        assertThat(events).containsExactly(new JobChanged(job.id()));
    }

    @Test
    void fixedRateStartsAtCreation() {
        assertThat(jobs.create(spec("rate", EVERY_TEN_SECONDS), true).nextFireAt())
                .isEqualTo("2030-01-01T12:00:10.250Z");
    }

    @Test
    void jobCreatedPausedOrWithoutScheduleIsNeverDue() {
        assertThat(jobs.create(spec("paused", EVERY_MINUTE), false).nextFireAt())
                .isNull();
        assertThat(jobs.create(spec("by hand", new Schedule.None()), true).nextFireAt())
                .isNull();
    }

    @Test
    void rejectsFinishedScheduleAndStoresNothing() {
        Schedule over = new Schedule.Cron("0 0 0 1 1 ? 2029", "UTC");

        assertInvalid("schedule", () -> jobs.create(spec("over", over), true));

        assertThat(all()).isEmpty();
        assertThat(events).isEmpty();
    }

    @Test
    void twoJobsOfAGroupCannotShareAName() {
        jobs.create(spec("same", EVERY_MINUTE), true);

        assertRejected(ErrorCode.CONFLICT, () -> jobs.create(spec("same", EVERY_TEN_SECONDS), true));

        assertThat(all()).hasSize(1);
    }

    @Test
    void jobsOfTwoGroupsCanShareAName() {
        jobs.create(spec("same", EVERY_MINUTE), true);
        ExecutorGroup other = admin.group("other");

        jobs.create(JobSpecs.of("same", other.id(), "h", "", EVERY_MINUTE, MisfirePolicy.FIRE_ALL), true);

        assertThat(all()).extracting(Job::groupName).containsExactly("group", "other");
    }

    @Test
    void rejectsUnknownGroupByFieldName() {
        JobSpec lost = JobSpecs.of("lost", 999, "h", "", EVERY_MINUTE, MisfirePolicy.FIRE_ONCE);

        assertInvalid("groupId", () -> jobs.create(lost, true));
    }

    @Test
    void rejectsEditOfOldVersion() {
        Job first = jobs.create(spec("job", EVERY_MINUTE), true);
        jobs.update(first.id(), first.version(), spec("renamed", EVERY_MINUTE), true);

        assertRejected(
                ErrorCode.CONFLICT,
                () -> jobs.update(first.id(), first.version(), spec("overwritten", EVERY_MINUTE), true));

        assertThat(jobs.get(first.id()).spec().name()).isEqualTo("renamed");
        assertThat(jobs.get(first.id()).version()).isEqualTo(2);
    }

    @Test
    void rejectsEditThatTakesAnothersName() {
        jobs.create(spec("taken", EVERY_MINUTE), true);
        Job job = jobs.create(spec("job", EVERY_MINUTE), true);

        assertRejected(ErrorCode.CONFLICT, () -> jobs.update(job.id(), 1, spec("taken", EVERY_MINUTE), true));
    }

    @Test
    void editWithoutScheduleChangeKeepsNextFireTime() {
        Job job = jobs.create(spec("job", EVERY_TEN_SECONDS), true);
        clock.advance(Duration.ofSeconds(7));

        Job renamed = jobs.update(job.id(), 1, spec("renamed", EVERY_TEN_SECONDS), true);

        assertThat(renamed.nextFireAt()).isEqualTo(job.nextFireAt());
    }

    @Test
    void aNewScheduleCountsFromTheEdit() {
        Job job = jobs.create(spec("job", EVERY_TEN_SECONDS), true);
        clock.advance(Duration.ofSeconds(7));
        events.clear();

        Job changed = jobs.update(job.id(), 1, spec("job", EVERY_MINUTE), true);

        assertThat(changed.nextFireAt()).isEqualTo("2030-01-01T12:01:00Z");
        assertThat(events).containsExactly(new JobChanged(job.id()));
    }

    @Test
    void anEditCanPauseAndResume() {
        Job job = jobs.create(spec("job", EVERY_TEN_SECONDS), true);

        Job paused = jobs.update(job.id(), 1, spec("job", EVERY_TEN_SECONDS), false);
        clock.advance(Duration.ofMinutes(5));
        Job resumed = jobs.update(job.id(), 2, spec("job", EVERY_TEN_SECONDS), true);

        assertThat(paused.nextFireAt()).isNull();
        assertThat(paused.enabled()).isFalse();
        assertThat(resumed.nextFireAt()).isEqualTo("2030-01-01T12:05:10.250Z");
    }

    @Test
    void resumeDoesNotCatchUpMissedFires() {
        Job job = jobs.create(spec("job", EVERY_MINUTE), true);

        Job paused = jobs.pause(job.id());
        clock.advance(Duration.ofHours(1));
        Job resumed = jobs.resume(job.id());

        assertThat(paused.enabled()).isFalse();
        assertThat(paused.nextFireAt()).isNull();
        assertThat(resumed.enabled()).isTrue();
        assertThat(resumed.nextFireAt()).isEqualTo("2030-01-01T13:01:00Z");
    }

    @Test
    void pausingAndResumingTwiceIsTheSameAsOnce() {
        Job job = jobs.create(spec("job", EVERY_MINUTE), true);

        jobs.pause(job.id());
        assertThat(jobs.pause(job.id()).version()).isEqualTo(2);
        jobs.resume(job.id());
        assertThat(jobs.resume(job.id()).version()).isEqualTo(3);
    }

    @Test
    void resumingClearsTheReasonOfAStop() {
        Job job = jobs.create(spec("job", EVERY_MINUTE), true);
        admin.jdbc
                .sql("update orth_job set enabled = false, next_fire_at = null, stop_reason = 'broken'")
                .update();

        assertThat(jobs.get(job.id()).stopReason()).isEqualTo("broken");
        assertThat(jobs.resume(job.id()).stopReason()).isNull();
    }

    @Test
    void rejectsResumeOfJobWithFinishedSchedule() {
        Job job = jobs.create(spec("job", new Schedule.Cron("0 0 0 1 1 ? 2031", "UTC")), true);
        jobs.pause(job.id());
        clock.advance(Duration.ofDays(800));

        assertInvalid("schedule", () -> jobs.resume(job.id()));
    }

    @Test
    void deletedJobIsNotFound() {
        Job job = jobs.create(spec("job", EVERY_MINUTE), true);

        jobs.delete(job.id());

        assertRejected(ErrorCode.NOT_FOUND, () -> jobs.get(job.id()));
        assertRejected(ErrorCode.NOT_FOUND, () -> jobs.delete(job.id()));
        assertRejected(ErrorCode.NOT_FOUND, () -> jobs.pause(job.id()));
        assertRejected(ErrorCode.NOT_FOUND, () -> jobs.resume(job.id()));
        assertRejected(ErrorCode.NOT_FOUND, () -> jobs.update(job.id(), 1, spec("x", EVERY_MINUTE), true));
    }

    @Test
    void theListIsFilteredByTextGroupAndState() {
        ExecutorGroup other = admin.group("other");
        jobs.create(JobSpecs.of("Nightly 100%", group.id(), "report", "", EVERY_MINUTE, MisfirePolicy.FIRE_ONCE), true);
        jobs.create(JobSpecs.of("hourly", other.id(), "REPORT_all", "", EVERY_MINUTE, MisfirePolicy.FIRE_ONCE), false);
        jobs.create(JobSpecs.of("clean", other.id(), "broom", "", EVERY_MINUTE, MisfirePolicy.FIRE_ONCE), true);

        assertThat(names(new JobFilter("report", null, null, 0, 10))).containsExactly("Nightly 100%", "hourly");
        assertThat(names(new JobFilter("NIGHT", null, null, 0, 10))).containsExactly("Nightly 100%");
        assertThat(names(new JobFilter("%", null, null, 0, 10))).containsExactly("Nightly 100%");
        assertThat(names(new JobFilter("_", null, null, 0, 10))).containsExactly("hourly");
        assertThat(names(new JobFilter("'; --", null, null, 0, 10))).isEmpty();
        assertThat(names(new JobFilter(null, other.id(), null, 0, 10))).containsExactly("hourly", "clean");
        assertThat(names(new JobFilter(null, null, false, 0, 10))).containsExactly("hourly");
        assertThat(names(new JobFilter("o", other.id(), true, 0, 10))).containsExactly("clean");
    }

    @Test
    void theListIsPagedById() {
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(jobs.create(spec("job " + i, EVERY_MINUTE), true).id());
        }

        List<Job> first = jobs.list(new JobFilter(null, null, null, 0, 3));
        List<Job> second =
                jobs.list(new JobFilter(null, null, null, first.get(2).id(), 3));

        assertThat(first).extracting(Job::id).isEqualTo(ids.subList(0, 3));
        assertThat(second).extracting(Job::id).isEqualTo(ids.subList(3, 5));
    }

    @Test
    void unreadableStoredScheduleDoesNotHideOtherJobs() {
        jobs.create(spec("good", EVERY_MINUTE), true);
        Job bad = jobs.create(spec("bad", EVERY_MINUTE), true);
        admin.jdbc
                .sql("update orth_job set zone = 'Mars/Olympus' where id = :id")
                .param("id", bad.id())
                .update();

        assertThat(all()).extracting(job -> job.spec().name()).containsExactly("good", "bad");
        assertThat(jobs.pause(bad.id()).enabled()).isFalse();
        assertInvalid("schedule", () -> jobs.resume(bad.id()));
        assertThat(jobs.update(bad.id(), 2, spec("mended", EVERY_MINUTE), true).nextFireAt())
                .isNotNull();
    }

    @Test
    void restoresEveryKindOfSchedule() {
        Instant start = Instant.parse("2031-01-01T00:00:00.123Z");
        List<Schedule> schedules = List.of(
                EVERY_MINUTE,
                EVERY_TEN_SECONDS,
                new Schedule.FixedDelay(Duration.ofMillis(100)),
                new Schedule.OneShot(start),
                EVERY_MINUTE.within(start, start.plusSeconds(100)),
                EVERY_TEN_SECONDS.within(start, null),
                new Schedule.FixedDelay(Duration.ofDays(1)).within(null, start),
                new Schedule.None());
        for (Schedule schedule : schedules) {
            Job job = jobs.create(spec("job " + schedule, schedule), true);

            assertThat(jobs.get(job.id()).spec().schedule()).isEqualTo(schedule);
        }
    }

    @Test
    void firstFireTimeIsInWholeMilliseconds() {
        clock.advance(Duration.ofNanos(123_456));

        Instant next = jobs.create(spec("rate", EVERY_TEN_SECONDS), true).nextFireAt();

        assertThat(next).isEqualTo("2030-01-01T12:00:10.250Z");
    }

    private List<Job> all() {
        return jobs.list(new JobFilter(null, null, null, 0, 100));
    }

    private List<String> names(JobFilter filter) {
        return jobs.list(filter).stream().map(job -> job.spec().name()).toList();
    }

    private JobSpec spec(String name, Schedule schedule) {
        return JobSpecs.of(name, group.id(), "handler", "param", schedule, MisfirePolicy.FIRE_ONCE);
    }

    private static void assertInvalid(String field, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(OrthException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT);
            assertThat(e.fields()).extracting(FieldError::field).containsExactly(field);
        });
    }

    private static void assertRejected(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
