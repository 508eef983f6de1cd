package io.orth.admin.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.job.Stretch;
import io.orth.admin.run.TriggerType;
import io.orth.admin.scheduling.FirePlan.Fire;
import io.orth.admin.scheduling.FirePlan.Skipped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FirePlanTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration THRESHOLD = Duration.ofSeconds(5);
    private static final int CAP = 4;
    private static final int CAP_IN_ALL = 10;
    private static final Schedule EVERY_SECOND = new Schedule.FixedRate(Duration.ofSeconds(1));
    private static final Schedule EVERY_MINUTE = new Schedule.FixedRate(Duration.ofMinutes(1));

    private final SchedulingProperties properties = SchedulingFixture.properties(1_000, THRESHOLD, CAP, CAP_IN_ALL);

    @ParameterizedTest
    @EnumSource
    void firesWhenDue(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_MINUTE, policy, NOON, NOON);

        assertThat(plan.fires()).containsExactly(onTime(NOON));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @ParameterizedTest
    @EnumSource
    void firesNothingBeforeDue(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_MINUTE, policy, NOON, NOON.minusMillis(1));

        assertThat(plan.fires()).isEmpty();
        assertThat(plan.next()).isEqualTo(NOON);
    }

    @ParameterizedTest
    @EnumSource
    void firesEachTimeWithinThreshold(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_SECOND, policy, NOON, NOON.plusMillis(2_500));

        assertThat(plan.fires())
                .containsExactly(onTime(NOON), onTime(NOON.plusSeconds(1)), onTime(NOON.plusSeconds(2)));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(3));
    }

    @ParameterizedTest
    @EnumSource
    void lateByExactlyThresholdIsOnTime(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_MINUTE, policy, NOON, NOON.plus(THRESHOLD));

        assertThat(plan.fires()).containsExactly(onTime(NOON));
    }

    @Test
    void doNothingSkipsBeyondThreshold() {
        FirePlan plan = plan(EVERY_MINUTE, MisfirePolicy.DO_NOTHING, NOON, justMissed());

        assertThat(plan.fires()).isEmpty();
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void fireOnceMisfiresBeyondThreshold() {
        FirePlan plan = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE, NOON, justMissed());

        assertThat(plan.fires()).containsExactly(missed(NOON));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void fireAllMisfiresBeyondThreshold() {
        FirePlan plan = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ALL, NOON, justMissed());

        assertThat(plan.fires()).containsExactly(missed(NOON));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void doNothingKeepsFiresOnTime() {
        FirePlan plan = plan(EVERY_SECOND, MisfirePolicy.DO_NOTHING, NOON, NOON.plusMillis(8_500));

        assertThat(plan.fires())
                .containsExactly(
                        onTime(NOON.plusSeconds(4)),
                        onTime(NOON.plusSeconds(5)),
                        onTime(NOON.plusSeconds(6)),
                        onTime(NOON.plusSeconds(7)));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(8));
    }

    @Test
    void fireOnceCoalescesOnlyMisfires() {
        FirePlan plan = plan(EVERY_SECOND, MisfirePolicy.FIRE_ONCE, NOON, NOON.plusSeconds(3_600));

        assertThat(plan.fires())
                .containsExactly(
                        missed(NOON),
                        onTime(NOON.plusSeconds(3_595)),
                        onTime(NOON.plusSeconds(3_596)),
                        onTime(NOON.plusSeconds(3_597)));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(3_598));
    }

    @Test
    void fireOnceCoalescesMisfiresOfCron() {
        Schedule cron = new Schedule.Cron("* * * * * ?", "UTC");

        FirePlan plan = plan(cron, MisfirePolicy.FIRE_ONCE, NOON, NOON.plusMillis(7_500));

        assertThat(plan.fires())
                .containsExactly(
                        missed(NOON),
                        onTime(NOON.plusSeconds(3)),
                        onTime(NOON.plusSeconds(4)),
                        onTime(NOON.plusSeconds(5)));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(6));
    }

    @Test
    void catchesUpInBoundedPasses() {
        Instant now = NOON.plus(Duration.ofHours(1));

        FirePlan first = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ALL, NOON, now);
        FirePlan second = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ALL, first.next(), now);

        assertThat(first.fires()).hasSize(CAP).first().isEqualTo(missed(NOON));
        assertThat(first.next()).isEqualTo(NOON.plus(Duration.ofMinutes(CAP)));
        assertThat(second.fires()).hasSize(CAP).first().isEqualTo(missed(first.next()));
    }

    @ParameterizedTest
    @EnumSource
    void firesLastTimeOfSchedule(MisfirePolicy policy) {
        Schedule newYear = new Schedule.Cron("0 0 0 1 1 ? 2031", "UTC");
        Instant last = Instant.parse("2031-01-01T00:00:00Z");

        FirePlan plan = plan(newYear, policy, last, last.plusSeconds(1));

        assertThat(plan.fires()).containsExactly(onTime(last));
        assertThat(plan.next()).isNull();
    }

    @Test
    void skipsMissedLastTimeOfSchedule() {
        Schedule newYear = new Schedule.Cron("0 0 0 1 1 ? 2031", "UTC");
        Instant last = Instant.parse("2031-01-01T00:00:00Z");

        FirePlan plan = plan(newYear, MisfirePolicy.DO_NOTHING, last, last.plusSeconds(60));

        assertThat(plan.fires()).isEmpty();
        assertThat(plan.next()).isNull();
    }

    @Test
    void reportsSkippedFiresWithReason() {
        FirePlan nothing = plan(EVERY_SECOND, MisfirePolicy.DO_NOTHING, NOON, NOON.plusMillis(8_500));
        FirePlan once = plan(EVERY_SECOND, MisfirePolicy.FIRE_ONCE, NOON, NOON.plusMillis(8_500));

        assertThat(nothing.skipped())
                .containsExactly(new Skipped(DecisionReason.MISSED, new Stretch(NOON, NOON.plusSeconds(3), 4, false)));
        assertThat(once.skipped())
                .containsExactly(new Skipped(
                        DecisionReason.MERGED, new Stretch(NOON.plusSeconds(1), NOON.plusSeconds(3), 3, false)));
    }

    @ParameterizedTest
    @EnumSource
    void reportsNothingWithoutMisfires(MisfirePolicy policy) {
        assertThat(plan(EVERY_MINUTE, policy, NOON, NOON.plus(THRESHOLD)).skipped())
                .isEmpty();
        assertThat(plan(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE, NOON, justMissed())
                        .skipped())
                .isEmpty();
    }

    @Test
    void reportsFiresSkippedBeyondCatchUpCap() {
        Instant now = NOON.plus(Duration.ofHours(1));

        FirePlan plan = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ALL, NOON, now, CAP_IN_ALL - 2);

        assertThat(plan.fires()).containsExactly(missed(NOON), missed(NOON.plusSeconds(60)), onTime(now));
        assertThat(plan.skipped())
                .containsExactly(new Skipped(
                        DecisionReason.CATCH_UP_CAP,
                        new Stretch(NOON.plusSeconds(120), now.minusSeconds(60), 58, false)));
        assertThat(plan.caughtUp()).isZero();
    }

    @Test
    void countsFiresCaughtUp() {
        FirePlan plan = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ALL, NOON, NOON.plus(Duration.ofHours(1)), 3);

        assertThat(plan.caughtUp()).isEqualTo(3 + CAP);
    }

    @Test
    void limitsCountOfSkippedCronFires() {
        Schedule everySecond = new Schedule.Cron("* * * * * ?", "UTC");

        FirePlan plan = plan(everySecond, MisfirePolicy.DO_NOTHING, NOON, NOON.plus(Duration.ofDays(300)));

        assertThat(plan.skipped()).singleElement().satisfies(skipped -> {
            assertThat(skipped.stretch().fires()).isEqualTo(1_000);
            assertThat(skipped.stretch().more()).isTrue();
            assertThat(skipped.stretch().last())
                    .isBetween(NOON.plus(Duration.ofDays(299)), NOON.plus(Duration.ofDays(300)));
        });
    }

    @ParameterizedTest
    @EnumSource
    void firesNothingAfterEndOfWindow(MisfirePolicy policy) {
        Schedule ended = new Schedule.FixedDelay(Duration.ofSeconds(1)).within(null, NOON.minusMillis(1));

        FirePlan plan = plan(ended, policy, NOON, NOON);

        assertThat(plan.fires()).isEmpty();
        assertThat(plan.next()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void firesLastTimeOfWindow(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_MINUTE.within(null, NOON), policy, NOON, NOON);

        assertThat(plan.fires()).containsExactly(onTime(NOON));
        assertThat(plan.next()).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = MisfirePolicy.class,
            names = {"FIRE_ONCE", "FIRE_ALL"})
    void fixedDelayFiresOnceAndAwaitsItsRun(MisfirePolicy policy) {
        FirePlan plan = plan(new Schedule.FixedDelay(Duration.ofSeconds(1)), policy, NOON, NOON.plusSeconds(60));

        assertThat(plan.fires()).containsExactly(missed(NOON));
        assertThat(plan.skipped()).isEmpty();
        assertThat(plan.next()).isNull();
    }

    @Test
    void doNothingRestartsMissedFixedDelay() {
        Instant now = NOON.plusSeconds(60);

        FirePlan plan = plan(new Schedule.FixedDelay(Duration.ofSeconds(1)), MisfirePolicy.DO_NOTHING, NOON, now);

        assertThat(plan.fires()).isEmpty();
        assertThat(plan.skipped()).containsExactly(new Skipped(DecisionReason.MISSED, Stretch.of(NOON)));
        assertThat(plan.next()).isEqualTo(now.plusSeconds(1));
    }

    @Test
    void appliesPolicyToMissedOneShot() {
        Schedule once = new Schedule.OneShot(NOON);

        assertThat(plan(once, MisfirePolicy.FIRE_ONCE, NOON, justMissed()))
                .isEqualTo(new FirePlan(List.of(missed(NOON)), List.of(), null, 0));
        assertThat(plan(once, MisfirePolicy.DO_NOTHING, NOON, justMissed()))
                .isEqualTo(new FirePlan(
                        List.of(), List.of(new Skipped(DecisionReason.MISSED, Stretch.of(NOON))), null, 0));
    }

    private FirePlan plan(Schedule schedule, MisfirePolicy policy, Instant due, Instant now) {
        return plan(schedule, policy, due, now, 0);
    }

    private FirePlan plan(Schedule schedule, MisfirePolicy policy, Instant due, Instant now, int caughtUp) {
        return FirePlan.of(new FirePlan.Planned(schedule, policy, due, caughtUp), now, properties);
    }

    private static Instant justMissed() {
        return NOON.plus(THRESHOLD).plusMillis(1);
    }

    private static Fire onTime(Instant at) {
        return new Fire(at, TriggerType.SCHEDULE);
    }

    private static Fire missed(Instant at) {
        return new Fire(at, TriggerType.MISFIRE);
    }
}
