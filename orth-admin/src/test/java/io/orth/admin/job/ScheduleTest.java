package io.orth.admin.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    @ParameterizedTest(name = "{0} in {1} after {2} is {3}")
    @CsvSource(delimiter = '|', textBlock = """
            0 0 12 * * ?         | UTC                 | 2030-01-01T12:00:00Z     | 2030-01-02T12:00:00Z
            0 0 12 * * ? *       | UTC                 | 2030-01-01T11:59:59.999Z | 2030-01-01T12:00:00Z
            */5 * * * * ?        | UTC                 | 2030-01-01T12:00:00.001Z | 2030-01-01T12:00:05Z
            0 0 9 * * ?          | Asia/Shanghai       | 2030-01-01T00:00:00Z     | 2030-01-01T01:00:00Z
            0 0 9 * * ?          | America/New_York    | 2030-07-01T00:00:00Z     | 2030-07-01T13:00:00Z
            0 0 9 * * ?          | +05:30              | 2030-01-01T00:00:00Z     | 2030-01-01T03:30:00Z
            0 0 0 L * ?          | UTC                 | 2032-02-01T00:00:00Z     | 2032-02-29T00:00:00Z
            0 0 0 L-2 * ?        | UTC                 | 2030-01-01T00:00:00Z     | 2030-01-29T00:00:00Z
            0 0 0 L-28 2 ?       | UTC                 | 2030-01-01T00:00:00Z     | 2032-02-01T00:00:00Z
            0 0 9,17 1W * ?      | UTC                 | 2030-06-03T09:00:00Z     | 2030-06-03T17:00:00Z
            0 0 0 lw * ?         | UTC                 | 2030-06-01T00:00:00Z     | 2030-06-28T00:00:00Z
            0 0 0 31W * ?        | UTC                 | 2030-06-01T00:00:00Z     | 2030-06-28T00:00:00Z
            0 0 0 15W * ?        | UTC                 | 2030-06-01T00:00:00Z     | 2030-06-14T00:00:00Z
            0 0 0 LW * ?         | UTC                 | 2030-03-01T00:00:00Z     | 2030-03-29T00:00:00Z
            0 0 0 ? * 6#3        | UTC                 | 2030-01-01T00:00:00Z     | 2030-01-18T00:00:00Z
            0 0 0 ? * 6L         | UTC                 | 2030-01-01T00:00:00Z     | 2030-01-25T00:00:00Z
            0 0 0 ? * MON-FRI    | UTC                 | 2030-01-04T12:00:00Z     | 2030-01-07T00:00:00Z
            0 0 0 29 2 ?         | UTC                 | 2033-01-01T00:00:00Z     | 2036-02-29T00:00:00Z
            0 0 0 1 1 ? 2031     | UTC                 | 2030-01-01T00:00:00Z     | 2031-01-01T00:00:00Z
            0 0 0 1 JAN ? 2031/2 | UTC                 | 2031-06-01T00:00:00Z     | 2033-01-01T00:00:00Z
            """)
    void aCronFiresAtTheFirstInstantAfter(String cron, String zone, Instant after, Instant next) {
        assertThat(new Schedule.Cron(cron, zone).after(after)).contains(next);
    }

    /**
     * Berlin and New York jump by an hour at 02:00, Lord Howe by half an hour, Havana at midnight. A time that the clocks skip
     * comes at the moment they jump; the day before and the day after are as ever.
     */
    @ParameterizedTest(name = "{0} in {1} from {2}")
    @CsvSource(delimiter = '|', textBlock = """
            0 30 2 * * ?       | Europe/Berlin       | 2030-03-29T12:00:00Z | 2030-03-30T01:30:00Z 2030-03-31T01:00:00Z 2030-04-01T00:30:00Z
            0 30 2 * * ?       | America/New_York    | 2030-03-08T12:00:00Z | 2030-03-09T07:30:00Z 2030-03-10T07:00:00Z 2030-03-11T06:30:00Z
            0 15 2 * * ?       | Australia/Lord_Howe | 2030-10-04T00:00:00Z | 2030-10-04T15:45:00Z 2030-10-05T15:30:00Z 2030-10-06T15:15:00Z
            0 0 0 * * ?        | America/Havana      | 2030-03-09T00:00:00Z | 2030-03-09T05:00:00Z 2030-03-10T05:00:00Z 2030-03-11T04:00:00Z
            0 10,20,30 2 * * ? | Europe/Berlin       | 2030-03-30T02:00:00Z | 2030-03-31T01:00:00Z 2030-04-01T00:10:00Z 2030-04-01T00:20:00Z
            0 0 2,3 * * ?      | Europe/Berlin       | 2030-03-30T03:00:00Z | 2030-03-31T01:00:00Z 2030-04-01T00:00:00Z 2030-04-01T01:00:00Z
            0 0 0/2 * * ?      | Europe/Berlin       | 2030-03-30T22:00:00Z | 2030-03-30T23:00:00Z 2030-03-31T01:00:00Z 2030-03-31T02:00:00Z
            0 30 2 31 3 ? 2030 | Europe/Berlin       | 2030-01-01T00:00:00Z | 2030-03-31T01:00:00Z
            """)
    void skippedLocalTimeFiresOnceAtTheJump(String cron, String zone, String from, String times) {
        assertThat(following(new Schedule.Cron(cron, zone), from, 3)).containsExactly(times.split(" "));
    }

    @ParameterizedTest(name = "{0} in {1} from {2}")
    @CsvSource(delimiter = '|', textBlock = """
            0 30 2 * * ?  | Europe/Berlin       | 2030-10-25T12:00:00Z | 2030-10-26T00:30:00Z 2030-10-27T00:30:00Z 2030-10-28T01:30:00Z
            0 30 1 * * ?  | America/New_York    | 2030-11-02T00:00:00Z | 2030-11-02T05:30:00Z 2030-11-03T05:30:00Z 2030-11-04T06:30:00Z
            0 45 1 * * ?  | Australia/Lord_Howe | 2030-04-05T00:00:00Z | 2030-04-05T14:45:00Z 2030-04-06T14:45:00Z 2030-04-07T15:15:00Z
            * * 2 27 10 ? | Europe/Berlin       | 2030-10-27T00:59:58Z | 2030-10-27T00:59:59Z 2031-10-27T01:00:00Z 2031-10-27T01:00:01Z
            0 0 3 * * ?   | Europe/Berlin       | 2030-10-27T00:45:00Z | 2030-10-27T02:00:00Z 2030-10-28T02:00:00Z 2030-10-29T02:00:00Z
            """)
    void repeatedLocalTimeFiresOnce(String cron, String zone, String from, String times) {
        assertThat(following(new Schedule.Cron(cron, zone), from, 3)).containsExactly(times.split(" "));
    }

    @ParameterizedTest(name = "{0} in {1} from {2}")
    @CsvSource(delimiter = '|', textBlock = """
            0 0 * * * ?      | Europe/Berlin       | 2030-03-30T23:30:00Z | 2030-03-31T00:00:00Z 2030-03-31T01:00:00Z 2030-03-31T02:00:00Z
            0 0 * * * ?      | Europe/Berlin       | 2030-10-26T23:30:00Z | 2030-10-27T00:00:00Z 2030-10-27T01:00:00Z 2030-10-27T02:00:00Z
            0 0/30 0-23 * * ?| Europe/Berlin       | 2030-10-27T00:00:00Z | 2030-10-27T00:30:00Z 2030-10-27T01:00:00Z 2030-10-27T01:30:00Z
            0 0/10 * * * ?   | Australia/Lord_Howe | 2030-10-05T15:10:00Z | 2030-10-05T15:20:00Z 2030-10-05T15:30:00Z 2030-10-05T15:40:00Z
            0 0/10 * * * ?   | Australia/Lord_Howe | 2030-04-06T14:45:00Z | 2030-04-06T14:50:00Z 2030-04-06T15:00:00Z 2030-04-06T15:10:00Z
            0 0 */1 * * ?    | Asia/Kolkata        | 2030-10-05T15:10:00Z | 2030-10-05T15:30:00Z 2030-10-05T16:30:00Z 2030-10-05T17:30:00Z
            0 0 * 26 10 ? 2030 | Asia/Beirut       | 2030-10-26T20:30:00Z | 2030-10-26T21:00:00Z
            """)
    void hourlyScheduleKeepsIntervalAcrossClockChanges(String cron, String zone, String from, String times) {
        assertThat(following(new Schedule.Cron(cron, zone), from, 3)).containsExactly(times.split(" "));
    }

    @Test
    void aWindowIsInclusiveAtBothEnds() {
        Schedule everyMinute = new Schedule.Cron("0 * * * * ?", "UTC").within(NOON, NOON.plusSeconds(120));

        assertThat(following(everyMinute, "2029-01-01T00:00:00Z", 9))
                .containsExactly("2030-01-01T12:00:00Z", "2030-01-01T12:01:00Z", "2030-01-01T12:02:00Z");
        assertThat(everyMinute.includes(NOON.plusSeconds(120))).isTrue();
        assertThat(everyMinute.includes(NOON.plusSeconds(120).plusMillis(1))).isFalse();
        assertThat(everyMinute.ending()).isEqualTo("its window ended at 2030-01-01T12:02:00Z");
    }

    @Test
    void aFixedRateCountsFromTheStartOfItsWindow() {
        Schedule rate = new Schedule.FixedRate(Duration.ofSeconds(10)).within(NOON, null);

        assertThat(rate.after(NOON.minusMillis(1))).contains(NOON);
        assertThat(rate.after(NOON.minus(Duration.ofDays(1)))).contains(NOON);
        assertThat(rate.after(NOON)).contains(NOON.plusSeconds(10));
        assertThat(rate.after(NOON.plusMillis(12_345))).contains(NOON.plusSeconds(20));
        assertThat(rate.skipTo(NOON, NOON.plusMillis(12_345))).contains(NOON.plusSeconds(20));
    }

    @Test
    void fixedDelayStartsWithItsWindow() {
        Schedule delay = new Schedule.FixedDelay(Duration.ofSeconds(10)).within(NOON, NOON.plusSeconds(15));

        assertThat(delay.after(NOON.minusSeconds(60))).contains(NOON);
        assertThat(delay.after(NOON.plusSeconds(2))).contains(NOON.plusSeconds(12));
        assertThat(delay.after(NOON.plusSeconds(6))).isEmpty();
        assertThat(delay.awaitsRuns()).isTrue();
    }

    @Test
    void aOneShotFiresAtItsInstantAndNeverAgain() {
        Schedule once = new Schedule.OneShot(NOON.plusNanos(999_999));

        assertThat(once.after(NOON.minusMillis(1))).contains(NOON);
        assertThat(once.after(NOON)).isEmpty();
        assertThat(once.ending()).isEqualTo("its only fire time has passed");
    }

    @Test
    void rejectsWindowThatEndsBeforeItStarts() {
        assertRejected(() -> new Schedule.FixedRate(Duration.ofSeconds(1)).within(NOON, NOON), "schedule.end");
        assertRejected(() -> new Schedule.Cron("* * * * * ?", "UTC").within(NOON, NOON.minusMillis(1)), "schedule.end");
    }

    @Test
    void rejectsWindowOfNonRepeatingSchedule() {
        assertRejected(() -> new Schedule.None().within(NOON, null), "schedule.start");
        assertRejected(() -> new Schedule.OneShot(NOON).within(null, NOON), "schedule.end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1999-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z"})
    void rejectsImplausibleInstant(Instant instant) {
        assertRejected(() -> new Schedule.OneShot(instant), "schedule.at");
        assertRejected(() -> new Schedule.FixedRate(Duration.ofSeconds(1)).within(instant, null), "schedule.start");
        assertRejected(() -> new Schedule.FixedRate(Duration.ofSeconds(1)).within(null, instant), "schedule.end");
    }

    @Test
    void countsFiresUpToTheLimit() {
        Schedule.Cron everySecond = new Schedule.Cron("* * * * * ?", "UTC");
        Instant until = NOON.plusSeconds(9);

        assertThat(everySecond.stretch(NOON, until, 10)).contains(new Stretch(NOON, until, 10, false));
        assertThat(everySecond.stretch(NOON, until, 9)).contains(new Stretch(NOON, until, 9, true));
        assertThat(everySecond.stretch(NOON, NOON, 9)).contains(Stretch.of(NOON));
        assertThat(everySecond.stretch(NOON, NOON.minusMillis(1), 9)).isEmpty();
        assertThat(new Schedule.FixedRate(Duration.ofSeconds(2)).stretch(NOON, until, 1))
                .contains(new Stretch(NOON, NOON.plusSeconds(8), 5, false));
        assertThat(new Schedule.FixedDelay(Duration.ofSeconds(2)).stretch(NOON, until, 1))
                .contains(new Stretch(NOON, until, null, false));
        assertThat(everySecond.within(null, NOON.plusSeconds(4)).stretch(NOON, until, 9))
                .contains(new Stretch(NOON, NOON.plusSeconds(4), 5, false));
    }

    @Test
    void cronWithPastYearsNeverFires() {
        Schedule.Cron ended = new Schedule.Cron("0 0 0 1 1 ? 2029", "UTC");

        assertThat(ended.after(NOON)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 0 30 2 ?", "0 0 0 31 4,6,9,11 ?", "59 59 23 31 FEB ? *", "0 0 0 LW 2 ? 2029"})
    @Timeout(value = 2, unit = TimeUnit.SECONDS)
    void detectsImpossibleDayQuickly(String cron) {
        assertThat(new Schedule.Cron(cron, "Europe/Berlin").after(NOON)).isEmpty();
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.SECONDS)
    void aStepOfZeroDoesNotHangTheScanner() {
        assertThat(new Schedule.Cron("0 0/0 * * * ?", "UTC").after(NOON)).contains(NOON.plusSeconds(3_600));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "* * * * *",
                "* * * * * * * *",
                "0 0 12 * * *",
                "0 0 12 ? * ?",
                "60 * * * * ?",
                "* 60 * * * ?",
                "* * 24 * * ?",
                "* * * 32 * ?",
                "* * * * 13 ?",
                "* * * ? * 8",
                "0 99 * * * ?",
                "0 0 98 * * ?",
                "0 0 1,99 * * ?",
                "a b c d e f",
                "0 0 0 ? * 6#6",
                "@daily",
                "0 0 12 * * ? 1; drop table orth_job"
            })
    void rejectsBadExpressionByFieldName(String cron) {
        assertRejected(() -> new Schedule.Cron(cron, "UTC"), "schedule.cron");
    }

    @Test
    void rejectsTooLongExpression() {
        assertRejected(() -> new Schedule.Cron("0 0 0 " + "1,".repeat(200) + "1 * ?", "UTC"), "schedule.cron");
    }

    @Test
    void rejectsMissingExpression() {
        assertRejected(() -> new Schedule.Cron(null, "UTC"), "schedule.cron");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "Mars/Olympus", "utc+25", "Europe/Berlin; --", "../../etc/passwd"})
    void rejectsBadZoneByFieldName(String zone) {
        assertRejected(() -> new Schedule.Cron("0 0 12 * * ?", zone), "schedule.zone");
    }

    @Test
    void rejectsMissingZone() {
        assertRejected(() -> new Schedule.Cron("0 0 12 * * ?", null), "schedule.zone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.099S", "P367D", "PT-2562047788015215H"})
    void rejectsIntervalOutOfBoundsByFieldName(Duration interval) {
        assertRejected(() -> new Schedule.FixedRate(interval), "schedule.interval");
    }

    @Test
    void rejectsIntervalFinerThanAMillisecond() {
        assertRejected(() -> new Schedule.FixedRate(Duration.ofMillis(250).plusNanos(1)), "schedule.interval");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.1S", "P366D"})
    void theBoundsOfAnIntervalAreAllowed(Duration interval) {
        assertThat(new Schedule.FixedRate(interval).after(NOON)).contains(NOON.plus(interval));
    }

    @Test
    void fixedRateDoesNotDriftWhenEvaluatedLate() {
        Schedule.FixedRate rate = new Schedule.FixedRate(Duration.ofSeconds(10));

        Instant next = NOON;
        for (int pass = 0; pass < 100; pass++) {
            Instant lookedAt = next.plusMillis(137L * pass % 9_000);
            next = rate.skipTo(next, lookedAt).orElseThrow();
        }

        assertThat(next).isEqualTo(NOON.plusSeconds(1_000));
    }

    @ParameterizedTest(name = "due at 12:00:00 every 10 s, seen at {0}: next at {1}")
    @CsvSource({
        "2030-01-01T11:59:59.999Z, 2030-01-01T12:00:00Z",
        "2030-01-01T12:00:00Z,     2030-01-01T12:00:10Z",
        "2030-01-01T12:00:09.999Z, 2030-01-01T12:00:10Z",
        "2030-01-01T12:00:10Z,     2030-01-01T12:00:20Z",
        "2031-01-01T12:00:05Z,     2031-01-01T12:00:10Z"
    })
    void skippingGoesToTheFirstInstantOfTheRateAfterNow(Instant now, Instant next) {
        Schedule.FixedRate rate = new Schedule.FixedRate(Duration.ofSeconds(10));

        assertThat(rate.skipTo(NOON, now)).contains(next);
    }

    @Test
    void aCronSkipsToItsFirstInstantAfterNow() {
        Schedule.Cron everyTenSeconds = new Schedule.Cron("0/10 * * * * ?", "UTC");

        assertThat(everyTenSeconds.skipTo(NOON, NOON.plusSeconds(60))).contains(NOON.plusSeconds(70));
    }

    @Test
    void withoutAScheduleNothingIsEverDue() {
        assertThat(new Schedule.None().after(NOON)).isEmpty();
        assertThat(new Schedule.None().skipTo(NOON, NOON)).isEmpty();
    }

    @Test
    void schedulesAreEqualByNormalizedText() {
        assertThat(new Schedule.Cron(" 0 0 12 * * ? ", " UTC "))
                .isEqualTo(new Schedule.Cron("0 0 12 * * ?", "UTC"))
                .hasSameHashCodeAs(new Schedule.Cron("0 0 12 * * ?", "UTC"))
                .hasToString("0 0 12 * * ? in UTC")
                .isNotEqualTo(new Schedule.Cron("0 0 13 * * ?", "UTC"))
                .isNotEqualTo(new Schedule.Cron("0 0 12 * * ?", "Europe/Berlin"))
                .isNotEqualTo(new Schedule.None());
    }

    private static List<String> following(Schedule schedule, String after, int count) {
        List<String> times = new ArrayList<>();
        Optional<Instant> next = schedule.after(Instant.parse(after));
        while (next.isPresent() && times.size() < count) {
            times.add(next.get().toString());
            next = schedule.after(next.get());
        }
        return times;
    }

    private static void assertRejected(Runnable making, String field) {
        assertThatThrownBy(making::run)
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT))
                .extracting(e -> ((OrthException) e).fields(), InstanceOfAssertFactories.list(FieldError.class))
                .extracting(FieldError::field)
                .containsExactly(field);
    }
}
