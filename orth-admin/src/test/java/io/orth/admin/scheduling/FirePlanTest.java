package io.orth.admin.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.run.TriggerType;
import io.orth.admin.scheduling.FirePlan.Fire;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FirePlanTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration THRESHOLD = Duration.ofSeconds(5);
    private static final int CAP = 4;
    private static final Schedule EVERY_SECOND = new Schedule.FixedRate(Duration.ofSeconds(1));
    private static final Schedule EVERY_MINUTE = new Schedule.FixedRate(Duration.ofMinutes(1));

    private final SchedulingProperties properties =
            new SchedulingProperties(1_000, Duration.ofSeconds(1), THRESHOLD, CAP);

    @ParameterizedTest
    @EnumSource
    void whatIsDueNowIsFiredNow(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_MINUTE, policy, NOON, NOON);

        assertThat(plan.fires()).containsExactly(onTime(NOON));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotYetDueIsLeftAlone(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_MINUTE, policy, NOON, NOON.minusMillis(1));

        assertThat(plan.fires()).isEmpty();
        assertThat(plan.next()).isEqualTo(NOON);
    }

    @ParameterizedTest
    @EnumSource
    void severalInstantsWithinTheThresholdEachGetTheirRun(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_SECOND, policy, NOON, NOON.plusMillis(2_500));

        assertThat(plan.fires())
                .containsExactly(onTime(NOON), onTime(NOON.plusSeconds(1)), onTime(NOON.plusSeconds(2)));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(3));
    }

    @ParameterizedTest
    @EnumSource
    void lateByExactlyTheThresholdIsStillOnTime(MisfirePolicy policy) {
        FirePlan plan = plan(EVERY_MINUTE, policy, NOON, NOON.plus(THRESHOLD));

        assertThat(plan.fires()).containsExactly(onTime(NOON));
    }

    @Test
    void laterByOneMillisecondIsSkippedWhereNothingIsToBeDone() {
        FirePlan plan = plan(EVERY_MINUTE, MisfirePolicy.DO_NOTHING, NOON, justMissed());

        assertThat(plan.fires()).isEmpty();
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void laterByOneMillisecondIsAMisfireWhereOneIsToBeFired() {
        FirePlan plan = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ONCE, NOON, justMissed());

        assertThat(plan.fires()).containsExactly(missed(NOON));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void laterByOneMillisecondIsAMisfireWhereAllAreToBeFired() {
        FirePlan plan = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ALL, NOON, justMissed());

        assertThat(plan.fires()).containsExactly(missed(NOON));
        assertThat(plan.next()).isEqualTo(NOON.plusSeconds(60));
    }

    @Test
    void skippingLeavesThoseThatAreOnTime() {
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
    void oneRunInTheNameOfTheOldestStandsForAllMissedAndForNoneOnTime() {
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
    void theSameHoldsForACron() {
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
    void catchingUpTakesSoManyPerPassAndGoesOnInTheNext() {
        Instant now = NOON.plus(Duration.ofHours(1));

        FirePlan first = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ALL, NOON, now);
        FirePlan second = plan(EVERY_MINUTE, MisfirePolicy.FIRE_ALL, first.next(), now);

        assertThat(first.fires()).hasSize(CAP).first().isEqualTo(missed(NOON));
        assertThat(first.next()).isEqualTo(NOON.plus(Duration.ofMinutes(CAP)));
        assertThat(second.fires()).hasSize(CAP).first().isEqualTo(missed(first.next()));
    }

    @ParameterizedTest
    @EnumSource
    void theLastInstantOfAScheduleIsFiredAndThenThereIsNoNext(MisfirePolicy policy) {
        Schedule newYear = new Schedule.Cron("0 0 0 1 1 ? 2031", "UTC");
        Instant last = Instant.parse("2031-01-01T00:00:00Z");

        FirePlan plan = plan(newYear, policy, last, last.plusSeconds(1));

        assertThat(plan.fires()).containsExactly(onTime(last));
        assertThat(plan.next()).isNull();
    }

    @Test
    void aMissedLastInstantIsSkippedToNever() {
        Schedule newYear = new Schedule.Cron("0 0 0 1 1 ? 2031", "UTC");
        Instant last = Instant.parse("2031-01-01T00:00:00Z");

        FirePlan plan = plan(newYear, MisfirePolicy.DO_NOTHING, last, last.plusSeconds(60));

        assertThat(plan.fires()).isEmpty();
        assertThat(plan.next()).isNull();
    }

    private FirePlan plan(Schedule schedule, MisfirePolicy policy, Instant due, Instant now) {
        return FirePlan.of(schedule, policy, due, now, properties);
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
