package io.orth.admin.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cron expressions against a slow and simple way to say when they fire: every day, hour and minute looked at. */
@Tag("must-runs")
class CronTimesProperties {

    private static final int SEEDS = 300;
    private static final LocalDate FIRST_DAY = LocalDate.of(2030, 1, 1);
    private static final LocalDate LAST_DAY = LocalDate.of(2032, 3, 15);
    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "America/Havana",
            "America/St_Johns",
            "Australia/Lord_Howe",
            "Asia/Kolkata",
            "Asia/Beirut",
            "Pacific/Chatham",
            "+05:45");

    /** A field as it is written, and the numbers it means. */
    private record Numbers(String text, List<Integer> values) {}

    /** The two fields for days, and the days they mean. */
    private record Days(String ofMonth, String ofWeek, Predicate<LocalDate> includes) {}

    static List<Long> seeds() {
        return new Random(20_310_101).longs(SEEDS).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void firesWhenTheCalendarSaysSo(long seed) {
        Random random = new Random(seed);
        Numbers minutes = numbers(random, 60);
        Numbers hours = numbers(random, 24);
        Numbers months = random.nextInt(3) == 0 ? months(random) : new Numbers("*", range(1, 12));
        Days days = days(random);
        String zone = ZONES.get(random.nextInt(ZONES.size()));
        String cron = "0 %s %s %s %s %s"
                .formatted(minutes.text(), hours.text(), days.ofMonth(), months.text(), days.ofWeek());
        ZoneRules rules = ZoneId.of(zone).getRules();
        Instant from = FIRST_DAY.plusDays(2).atStartOfDay().toInstant(ZoneOffset.UTC);
        Instant to = LAST_DAY.minusDays(2).atStartOfDay().toInstant(ZoneOffset.UTC);

        TreeSet<Instant> expected = new TreeSet<>();
        for (LocalDate day = FIRST_DAY; day.isBefore(LAST_DAY); day = day.plusDays(1)) {
            if (months.values().contains(day.getMonthValue()) && days.includes().test(day)) {
                for (int hour : hours.values()) {
                    for (int minute : minutes.values()) {
                        expected.addAll(comings(
                                day.atTime(LocalTime.of(hour, minute)),
                                rules,
                                hours.values().size() == 24));
                    }
                }
            }
        }

        assertThat(fires(new Schedule.Cron(cron, zone), from, to))
                .as("%s in %s", cron, zone)
                .isEqualTo(List.copyOf(expected.subSet(from, false, to, true)));
    }

    private static List<Instant> fires(Schedule schedule, Instant from, Instant to) {
        List<Instant> fires = new ArrayList<>();
        Optional<Instant> next = schedule.after(from);
        while (next.isPresent() && !next.get().isAfter(to)) {
            fires.add(next.get());
            next = schedule.after(next.get());
        }
        return fires;
    }

    /** The rule: every hour, as the wall clock shows it; certain hours, once each. */
    private static List<Instant> comings(LocalDateTime wall, ZoneRules rules, boolean everyHour) {
        List<ZoneOffset> offsets = rules.getValidOffsets(wall);
        if (everyHour) {
            return offsets.stream().map(wall::toInstant).toList();
        }
        return offsets.isEmpty()
                ? List.of(rules.getTransition(wall).getInstant())
                : List.of(wall.toInstant(offsets.get(0)));
    }

    private static Numbers numbers(Random random, int end) {
        int one = random.nextInt(end);
        int other = random.nextInt(end);
        int step = Math.max(end / 6, 1 + random.nextInt(end - 1));
        return switch (random.nextInt(5)) {
            case 0 -> end == 24 ? new Numbers("*", range(0, 23)) : new Numbers("0/15", List.of(0, 15, 30, 45));
            case 1 ->
                new Numbers(
                        one + "," + other,
                        IntStream.of(one, other).boxed().distinct().toList());
            case 2 ->
                new Numbers(
                        one + "/" + step,
                        IntStream.iterate(one, n -> n < end, n -> n + step)
                                .boxed()
                                .toList());
            case 3 -> end == 24 ? wrapping(one, other, end) : new Numbers(String.valueOf(one), List.of(one));
            default -> new Numbers(String.valueOf(one), List.of(one));
        };
    }

    /** A range such as 22-2 goes over midnight. */
    private static Numbers wrapping(int first, int last, int end) {
        int count = Math.floorMod(last - first, end) + 1;
        return new Numbers(
                first + "-" + last,
                IntStream.range(0, count).map(n -> (first + n) % end).boxed().toList());
    }

    private static Numbers months(Random random) {
        int one = 1 + random.nextInt(12);
        return new Numbers(one + ",2", List.of(one, 2));
    }

    private static Days days(Random random) {
        int day = 1 + random.nextInt(31);
        int back = random.nextInt(29);
        DayOfWeek week = DayOfWeek.of(1 + random.nextInt(7));
        int quartzDay = week.getValue() % 7 + 1;
        int nth = 1 + random.nextInt(5);
        return switch (random.nextInt(11)) {
            case 0 -> new Days("L", "?", date -> date.getDayOfMonth() == date.lengthOfMonth());
            case 1 -> new Days("L-" + back, "?", date -> date.getDayOfMonth() == date.lengthOfMonth() - back);
            case 2 -> new Days("LW", "?", date -> date.equals(weekdayNear(date, date.lengthOfMonth())));
            case 3 -> new Days(day + "W", "?", date -> date.equals(weekdayNear(date, day)));
            case 4 ->
                new Days(
                        "?",
                        quartzDay + "#" + nth,
                        date -> date.getDayOfWeek() == week && (date.getDayOfMonth() - 1) / 7 + 1 == nth);
            case 5 ->
                new Days("?", quartzDay + "L", date -> date.equals(date.with(TemporalAdjusters.lastInMonth(week))));
            case 9 ->
                new Days(
                        "L-3W," + day,
                        "?",
                        date -> date.equals(weekdayNear(date, date.lengthOfMonth() - 3))
                                || date.getDayOfMonth() == day);
            case 6 -> new Days("?", "MON-FRI", date -> date.getDayOfWeek().getValue() <= 5);
            case 7 ->
                new Days(
                        "?",
                        "FRI-MON",
                        date -> date.getDayOfWeek().getValue() >= 5 || date.getDayOfWeek() == DayOfWeek.MONDAY);
            case 8 -> new Days(String.valueOf(day), "?", date -> date.getDayOfMonth() == day);
            default -> new Days("*", "?", date -> true);
        };
    }

    /** The weekday nearest to that day, within the month; a day that the month does not have is its last. */
    private static LocalDate weekdayNear(LocalDate month, int day) {
        LocalDate wanted = month.withDayOfMonth(Math.min(day, month.lengthOfMonth()));
        if (wanted.getDayOfWeek() == DayOfWeek.SATURDAY) {
            return wanted.getDayOfMonth() == 1 ? wanted.plusDays(2) : wanted.minusDays(1);
        }
        if (wanted.getDayOfWeek() == DayOfWeek.SUNDAY) {
            return wanted.getDayOfMonth() == wanted.lengthOfMonth() ? wanted.minusDays(2) : wanted.plusDays(1);
        }
        return wanted;
    }

    private static List<Integer> range(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
    }
}
