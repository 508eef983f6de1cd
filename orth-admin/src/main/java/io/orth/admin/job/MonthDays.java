package io.orth.admin.job;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A day-of-month field that counts from the end of the month ({@code L}, {@code L-3}) or moves to a weekday ({@code 15W}, {@code LW}).
 *
 * <p>Quartz accepts these fields too, but fires only once on a day that was moved, and computes wrong days if a month is too short.
 * Therefore Orth computes the days itself. The weekday is searched within the month. In a shorter month, {@code 31W} is the weekday nearest
 * to the last day. A count that reaches back beyond the first day matches no day of that month.
 */
final class MonthDays {

    private static final Pattern FROM_THE_END = Pattern.compile("L(?:-(\\d+))?(W)?");
    private static final Pattern NEAR = Pattern.compile("(\\d+)W");

    private final List<Predicate<LocalDate>> days;

    private MonthDays(List<Predicate<LocalDate>> days) {
        this.days = days;
    }

    /** Parses the field; returns empty if it uses neither {@code L} nor {@code W}. {@code plain} parses the other parts of a list. */
    static Optional<MonthDays> parse(String field, Function<String, Predicate<LocalDate>> plain) {
        String upper = field.toUpperCase(Locale.ROOT);
        if (upper.indexOf('L') < 0 && upper.indexOf('W') < 0) {
            return Optional.empty();
        }
        List<Predicate<LocalDate>> days = new ArrayList<>();
        for (String part : upper.split(",", -1)) {
            days.add(parsePart(part, plain));
        }
        return Optional.of(new MonthDays(days));
    }

    private static Predicate<LocalDate> parsePart(String part, Function<String, Predicate<LocalDate>> plain) {
        Matcher fromTheEnd = FROM_THE_END.matcher(part);
        if (fromTheEnd.matches()) {
            int back = fromTheEnd.group(1) == null ? 0 : Integer.parseInt(fromTheEnd.group(1));
            boolean weekday = fromTheEnd.group(2) != null;
            return date -> is(date, date.lengthOfMonth() - back, weekday);
        }
        Matcher near = NEAR.matcher(part);
        if (near.matches()) {
            int day = Integer.parseInt(near.group(1));
            return date -> is(date, Math.min(day, date.lengthOfMonth()), true);
        }
        return plain.apply(part);
    }

    boolean include(LocalDate date) {
        return days.stream().anyMatch(day -> day.test(date));
    }

    private static boolean is(LocalDate date, int day, boolean weekday) {
        if (day < 1) {
            return false;
        }
        return date.getDayOfMonth() == (weekday ? weekdayNear(date.withDayOfMonth(day)) : day);
    }

    /** Returns the Friday before a Saturday and the Monday after a Sunday, but never a day outside the month. */
    private static int weekdayNear(LocalDate date) {
        int day = date.getDayOfMonth();
        if (date.getDayOfWeek() == DayOfWeek.SATURDAY) {
            return day == 1 ? day + 2 : day - 1;
        }
        if (date.getDayOfWeek() == DayOfWeek.SUNDAY) {
            return day == date.lengthOfMonth() ? day - 2 : day + 1;
        }
        return day;
    }
}
