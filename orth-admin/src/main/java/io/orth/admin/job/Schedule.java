package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** When a job is due. */
public sealed interface Schedule {

    /** The first instant after {@code instant}, itself an instant of this schedule or any other; empty: never again. */
    Optional<Instant> after(Instant instant);

    /** The first instant after {@code now} of a schedule that was last due at {@code due}, skipping all between. */
    default Optional<Instant> skipTo(Instant due, Instant now) {
        return after(now);
    }

    /** The instants from {@code first}, which is one, to {@code until}; none where it is later. Counts up to {@code most}. */
    default Optional<Stretch> stretch(Instant first, Instant until, int most) {
        Stretch counted = null;
        Optional<Instant> next = Optional.of(first);
        while (next.isPresent() && !next.get().isAfter(until)) {
            if (counted != null && counted.fires() == most) {
                return Optional.of(counted.andMoreUntil(until));
            }
            counted = counted == null ? Stretch.of(next.get()) : counted.with(next.get());
            next = after(next.get());
        }
        return Optional.ofNullable(counted);
    }

    /** Whether an instant that was planned earlier still counts. */
    default boolean includes(Instant due) {
        return true;
    }

    /** Whether the next instant is known only when the run of the one before has ended. */
    default boolean awaitsRuns() {
        return false;
    }

    /** The same without its window. */
    default Schedule unbounded() {
        return this;
    }

    /** Why a job that has no next instant has none. */
    default String ending() {
        return "its schedule has no further fire time";
    }

    /** The same within a window; both ends belong to it, and either may be null. */
    default Schedule within(Instant start, Instant end) {
        return start == null && end == null ? this : new Windowed(this, start, end);
    }

    /** Fired by hand or by the API only. */
    record None() implements Schedule {

        @Override
        public Optional<Instant> after(Instant instant) {
            return Optional.empty();
        }
    }

    /** What is stored and cannot be read any more, such as a zone that this JVM does not know. */
    record Unreadable(ScheduleColumns columns, String reason) implements Schedule {

        @Override
        public Optional<Instant> after(Instant instant) {
            throw OrthException.invalid("schedule", "cannot be followed: " + reason);
        }
    }

    /** Every {@code interval}, counted from the first instant; does not drift. */
    record FixedRate(Duration interval) implements Schedule {

        public FixedRate {
            Limits.checkInterval(interval);
        }

        @Override
        public Optional<Instant> after(Instant instant) {
            return Optional.of(instant.plus(interval));
        }

        @Override
        public Optional<Instant> skipTo(Instant due, Instant now) {
            if (now.isBefore(due)) {
                return Optional.of(due);
            }
            return Optional.of(due.plus(interval.multipliedBy(wholeBetween(due, now) + 1)));
        }

        @Override
        public Optional<Stretch> stretch(Instant first, Instant until, int most) {
            if (first.isAfter(until)) {
                return Optional.empty();
            }
            long whole = wholeBetween(first, until);
            boolean countable = whole < Integer.MAX_VALUE;
            int fires = countable ? (int) whole + 1 : Integer.MAX_VALUE;
            return Optional.of(new Stretch(first, first.plus(interval.multipliedBy(whole)), fires, !countable));
        }

        private long wholeBetween(Instant first, Instant last) {
            return Duration.between(first, last).dividedBy(interval);
        }
    }

    /** {@code interval} after the run of the instant before has ended, so that no two runs overlap. */
    record FixedDelay(Duration interval) implements Schedule {

        public FixedDelay {
            Limits.checkInterval(interval);
        }

        /** As if runs took no time. */
        @Override
        public Optional<Instant> after(Instant instant) {
            return Optional.of(instant.plus(interval));
        }

        /** How many runs there would have been depends on how long each would have taken. */
        @Override
        public Optional<Stretch> stretch(Instant first, Instant until, int most) {
            return first.isAfter(until) ? Optional.empty() : Optional.of(Stretch.uncounted(first, until));
        }

        @Override
        public boolean awaitsRuns() {
            return true;
        }
    }

    /** Once, at one instant. */
    record OneShot(Instant at) implements Schedule {

        public OneShot {
            at = Limits.checkedInstant("schedule.at", at);
        }

        @Override
        public Optional<Instant> after(Instant instant) {
            return instant.isBefore(at) ? Optional.of(at) : Optional.empty();
        }

        @Override
        public String ending() {
            return "its only fire time has passed";
        }
    }

    /**
     * Another schedule from {@code start} to {@code end}, both included; either may be null. A fixed rate counts from the start,
     * so that its instants stay where they are however often the job is paused.
     */
    record Windowed(Schedule planned, Instant start, Instant end) implements Schedule {

        public Windowed {
            start = start == null ? null : Limits.checkedInstant("schedule.start", start);
            end = end == null ? null : Limits.checkedInstant("schedule.end", end);
            if (planned instanceof None || planned instanceof OneShot) {
                throw OrthException.invalid(
                        start == null ? "schedule.end" : "schedule.start", "belongs to a schedule that repeats");
            }
            if (start != null && end != null && !end.isAfter(start)) {
                throw OrthException.invalid("schedule.end", "must be after schedule.start");
            }
        }

        @Override
        public Optional<Instant> after(Instant instant) {
            return unending(instant).filter(this::includes);
        }

        private Optional<Instant> unending(Instant instant) {
            if (start == null) {
                return planned.after(instant);
            }
            if (instant.isBefore(start)) {
                return planned instanceof Cron ? planned.after(start.minusMillis(1)) : Optional.of(start);
            }
            return planned instanceof FixedRate ? planned.skipTo(start, instant) : planned.after(instant);
        }

        @Override
        public Optional<Instant> skipTo(Instant due, Instant now) {
            return start != null && now.isBefore(start)
                    ? after(now)
                    : planned.skipTo(due, now).filter(this::includes);
        }

        @Override
        public Optional<Stretch> stretch(Instant first, Instant until, int most) {
            return planned.stretch(first, end != null && end.isBefore(until) ? end : until, most);
        }

        @Override
        public boolean includes(Instant due) {
            return end == null || !due.isAfter(end);
        }

        @Override
        public boolean awaitsRuns() {
            return planned.awaitsRuns();
        }

        @Override
        public Schedule unbounded() {
            return planned;
        }

        @Override
        public String ending() {
            return end == null ? planned.ending() : "its window ended at " + end;
        }
    }

    /** A cron expression of the Quartz dialect (seconds first, 6 or 7 fields), read in a time zone. */
    final class Cron implements Schedule {

        private final String expression;
        private final ZoneId zone;
        private final CronTimes times;

        public Cron(String expression, String zone) {
            this.times = CronTimes.of(expression);
            this.expression = expression.strip();
            this.zone = parseZone(zone);
        }

        public String expression() {
            return expression;
        }

        public ZoneId zone() {
            return zone;
        }

        @Override
        public Optional<Instant> after(Instant instant) {
            return times.after(instant, zone.getRules());
        }

        private static ZoneId parseZone(String zone) {
            if (zone == null || zone.isBlank()) {
                throw OrthException.invalid("schedule.zone", "is missing; name one like Europe/Berlin or UTC");
            }
            try {
                return ZoneId.of(zone.strip());
            } catch (DateTimeException e) {
                throw OrthException.invalid("schedule.zone", "is not a time zone: " + zone);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Cron that && expression.equals(that.expression) && zone.equals(that.zone);
        }

        @Override
        public int hashCode() {
            return 31 * expression.hashCode() + zone.hashCode();
        }

        @Override
        public String toString() {
            return "%s in %s".formatted(expression, zone);
        }
    }

    /** What can be kept and followed. */
    final class Limits {

        private static final Duration SHORTEST = Duration.ofMillis(100);
        private static final Duration LONGEST = Duration.ofDays(366);
        private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
        private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

        private Limits() {}

        static void checkInterval(Duration interval) {
            if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
                throw OrthException.invalid("schedule.interval", "must be between 100 ms and 366 days");
            }
            if (interval.toNanosPart() % 1_000_000 != 0) {
                throw OrthException.invalid("schedule.interval", "must be whole milliseconds");
            }
        }

        /** In whole milliseconds, so that it comes back from the database as it went. */
        static Instant checkedInstant(String field, Instant instant) {
            if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
                throw OrthException.invalid(field, "must be between the years 2000 and 9999");
            }
            return instant.truncatedTo(ChronoUnit.MILLIS);
        }
    }
}
