package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import java.text.ParseException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.quartz.CronExpression;

/**
 * Local times of a cron expression, and the corresponding instants in a time zone.
 *
 * <p>At clock changes, an expression that names certain hours fires once for each of its local times. A time that the change skips fires at
 * the moment of the change; a time that the change repeats fires only the first time. An expression for every hour follows the wall clock
 * instead: skipped times do not fire and repeated times fire twice, so that the intervals stay the same.
 */
final class CronTimes {

    private static final int LONGEST = 200;
    private static final Pattern FIELDS = Pattern.compile("\\s+");
    private static final int HOURS_FIELD = 2;
    private static final int DAYS_FIELD = 3;
    private static final int DAYS_OF_JANUARY = 31;

    /** Covers the gap between two leap days around a year such as 2100. */
    private static final int MOST_DAYS_AHEAD = 9 * 366;

    private static final int HOURS_PER_DAY = 24;

    /** Quartz uses 98 and 99 internally for "no value" and "any value", and would fire at every value. */
    private static final Pattern INTERNAL_NUMBERS = Pattern.compile("(^|[\\s,/-])0*9[89]([\\s,/-]|$)");

    /** Cache, because parsing an expression takes longer than everything else needed to fire a job. */
    private static final Map<String, CronTimes> KNOWN = new ConcurrentHashMap<>();

    private static final int MOST_KNOWN = 10_000;

    private final String hours;
    /** Present if Orth computes the days itself; {@link #walls} then matches every day. */
    private final Optional<MonthDays> days;
    /** Evaluated in UTC, which has no clock changes, so that its instants represent local times. */
    private final CronExpression walls;

    private CronTimes(String expression) {
        CronExpression whole = compile(expression);
        String[] fields = FIELDS.split(expression, -1);
        this.hours = fields[HOURS_FIELD];
        this.days = MonthDays.parse(fields[DAYS_FIELD], CronTimes::plainDays);
        if (days.isPresent()) {
            fields[DAYS_FIELD] = "*";
        }
        this.walls = days.isPresent() ? compile(String.join(" ", fields)) : whole;
    }

    static CronTimes of(String expression) {
        String checked = checked(expression);
        CronTimes known = KNOWN.get(checked);
        if (known == null) {
            known = new CronTimes(checked);
            if (KNOWN.size() >= MOST_KNOWN) {
                KNOWN.clear();
            }
            KNOWN.put(checked, known);
        }
        return known;
    }

    Optional<Instant> after(Instant instant, ZoneRules zone) {
        ZoneOffset offset = zone.getOffset(instant);
        LocalDateTime now = LocalDateTime.ofInstant(instant, offset);
        LocalDateTime wall = wallAfter(now);
        if (wall != null && isPlain(instant, now, wall, zone)) {
            return Optional.of(wall.toInstant(offset));
        }
        return namesEveryHour() ? followingTheClock(instant, zone) : onceEach(now, offset, zone);
    }

    /** Returns whether there is no clock change between the two times and {@code now} is not a time repeated by a clock change. */
    private static boolean isPlain(Instant instant, LocalDateTime now, LocalDateTime wall, ZoneRules zone) {
        if (zone.isFixedOffset()) {
            return true;
        }
        ZoneOffset offset = zone.getOffset(instant);
        ZoneOffsetTransition change = zone.nextTransition(instant);
        return !isRepeated(now, offset, zone)
                && (change == null || wall.toInstant(offset).isBefore(change.getInstant()));
    }

    private static boolean isRepeated(LocalDateTime now, ZoneOffset offset, ZoneRules zone) {
        List<ZoneOffset> offsets = zone.getValidOffsets(now);
        return offsets.size() > 1 && !offset.equals(offsets.get(0));
    }

    private Optional<Instant> onceEach(LocalDateTime now, ZoneOffset offset, ZoneRules zone) {
        LocalDateTime from = isRepeated(now, offset, zone)
                ? justBefore(zone.getTransition(now).getDateTimeBefore())
                : now;
        return Optional.ofNullable(wallAfter(from)).map(wall -> firstComing(wall, zone));
    }

    private static Instant firstComing(LocalDateTime wall, ZoneRules zone) {
        List<ZoneOffset> offsets = zone.getValidOffsets(wall);
        return offsets.isEmpty() ? zone.getTransition(wall).getInstant() : wall.toInstant(offsets.get(0));
    }

    /** Searches from one clock change to the next, because the offset is constant in between. */
    private Optional<Instant> followingTheClock(Instant instant, ZoneRules zone) {
        ZoneOffset offset = zone.getOffset(instant);
        LocalDateTime wall = wallAfter(LocalDateTime.ofInstant(instant, offset));
        ZoneOffsetTransition change = zone.nextTransition(instant);
        while (wall == null || (change != null && !wall.toInstant(offset).isBefore(change.getInstant()))) {
            LocalDateTime again = change == null ? null : wallAfter(justBefore(change.getDateTimeAfter()));
            if (again == null) {
                return Optional.empty();
            }
            wall = again;
            offset = change.getOffsetAfter();
            change = zone.nextTransition(change.getInstant());
        }
        return Optional.of(wall.toInstant(offset));
    }

    private static LocalDateTime justBefore(LocalDateTime wall) {
        return wall.minusNanos(1_000_000);
    }

    private LocalDateTime wallAfter(LocalDateTime wall) {
        LocalDateTime next = anyWallAfter(wall);
        for (int day = 0; next != null && days.isPresent(); day++) {
            if (days.get().include(next.toLocalDate())) {
                return next;
            }
            next = day == MOST_DAYS_AHEAD
                    ? null
                    : anyWallAfter(justBefore(next.toLocalDate().plusDays(1).atStartOfDay()));
        }
        return next;
    }

    private LocalDateTime anyWallAfter(LocalDateTime wall) {
        Date next = walls.getTimeAfter(Date.from(wall.toInstant(ZoneOffset.UTC)));
        return next == null ? null : LocalDateTime.ofInstant(next.toInstant(), ZoneOffset.UTC);
    }

    /** Returns the days that a part of a day-of-month field names, if it uses neither {@code L} nor {@code W}. */
    private static Predicate<LocalDate> plainDays(String part) {
        Set<Integer> named = timesFrom2000("0 0 0 %s 1 ? 2000".formatted(part), DAYS_OF_JANUARY).stream()
                .map(LocalDateTime::getDayOfMonth)
                .collect(Collectors.toSet());
        return date -> named.contains(date.getDayOfMonth());
    }

    private boolean namesEveryHour() {
        return timesFrom2000("0 0 %s 1 1 ? 2000".formatted(hours), HOURS_PER_DAY)
                        .size()
                == HOURS_PER_DAY;
    }

    /** Returns the first {@code most} times of the expression from the year 2000 on. */
    private static List<LocalDateTime> timesFrom2000(String expression, int most) {
        CronExpression compiled = compile(expression);
        return Stream.iterate(
                        compiled.getTimeAfter(Date.from(Instant.parse("1999-12-31T23:59:59Z"))),
                        Objects::nonNull,
                        compiled::getTimeAfter)
                .limit(most)
                .map(time -> LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC))
                .toList();
    }

    private static String checked(String expression) {
        if (expression == null || expression.isBlank()) {
            throw OrthException.invalid("schedule.cron", "is missing");
        }
        if (expression.length() > LONGEST) {
            throw OrthException.invalid("schedule.cron", "must have at most %d characters".formatted(LONGEST));
        }
        String stripped = expression.strip();
        int fields = FIELDS.split(stripped, -1).length;
        if (fields < 6 || fields > 7) {
            throw OrthException.invalid(
                    "schedule.cron",
                    "must have 6 or 7 fields (second minute hour day-of-month month day-of-week [year]), got "
                            + fields);
        }
        if (INTERNAL_NUMBERS.matcher(stripped).find()) {
            throw OrthException.invalid("schedule.cron", "cannot be read: 98 and 99 are no value of any field");
        }
        return stripped;
    }

    private static CronExpression compile(String expression) {
        try {
            CronExpression compiled = new CronExpression(expression);
            compiled.setTimeZone(TimeZone.getTimeZone(ZoneOffset.UTC));
            return compiled;
        } catch (ParseException | RuntimeException e) {
            throw OrthException.invalid("schedule.cron", "cannot be read: " + e.getMessage());
        }
    }
}
