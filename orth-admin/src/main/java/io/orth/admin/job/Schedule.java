package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Fire times of a job. */
public sealed interface Schedule {

    /** Returns the first fire time after {@code instant}, which need not be a fire time itself; empty if there is none. */
    Optional<Instant> after(Instant instant);

    /** Returns the first fire time after {@code now} of a schedule that was last due at {@code due}, and skips all in between. */
    default Optional<Instant> skipTo(Instant due, Instant now) {
        return after(now);
    }

    /**
     * Returns the range of fire times from {@code first}, which is one, to {@code until}; empty if {@code first} is later. Counts up to
     * {@code most}.
     */
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

    /** Returns whether a fire time computed earlier is still valid. */
    default boolean includes(Instant due) {
        return true;
    }

    /** Returns whether the next fire time depends on the end of the previous run. */
    default boolean awaitsRuns() {
        return false;
    }

    /** Returns the schedule without its window. */
    default Schedule unbounded() {
        return this;
    }

    /** Returns why there is no next fire time. */
    default String ending() {
        return "its schedule has no further fire time";
    }

    /** Returns the schedule restricted to a window; both bounds are inclusive and may be null. */
    default Schedule within(Instant start, Instant end) {
        return start == null && end == null ? this : new Windowed(this, start, end);
    }

    /** No fire times: the job is fired by hand or through the API only. */
    record None() implements Schedule {

        @Override
        public Optional<Instant> after(Instant instant) {
            return Optional.empty();
        }
    }

    /** A stored schedule that is invalid, for example because this JVM does not know its zone. */
    record Unreadable(ScheduleColumns columns, String reason) implements Schedule {

        @Override
        public Optional<Instant> after(Instant instant) {
            throw OrthException.invalid("schedule", "cannot be followed: " + reason);
        }
    }

    /** Fires every {@code interval}, counted from the first fire time, without drift. */
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

    /** Fires {@code interval} after the previous run has finished, so that no two runs overlap. */
    record FixedDelay(Duration interval) implements Schedule {

        public FixedDelay {
            Limits.checkInterval(interval);
        }

        /** Assumes that runs take no time. */
        @Override
        public Optional<Instant> after(Instant instant) {
            return Optional.of(instant.plus(interval));
        }

        /** Not countable: the number of runs depends on their durations. */
        @Override
        public Optional<Stretch> stretch(Instant first, Instant until, int most) {
            return first.isAfter(until) ? Optional.empty() : Optional.of(Stretch.uncounted(first, until));
        }

        @Override
        public boolean awaitsRuns() {
            return true;
        }
    }

    /** Fires once. */
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
     * A schedule restricted to a window from {@code start} to {@code end}, both inclusive; either may be null. A fixed rate counts from the
     * start, so that pausing the job does not shift its fire times.
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

    /** A Quartz cron expression (seconds first, 6 or 7 fields) in a time zone. */
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

    /** Limits of values that can be stored and evaluated. */
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

        /** Truncates to whole milliseconds, so that the value survives storage in the database unchanged. */
        static Instant checkedInstant(String field, Instant instant) {
            if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
                throw OrthException.invalid(field, "must be between the years 2000 and 9999");
            }
            return instant.truncatedTo(ChronoUnit.MILLIS);
        }
    }
}
