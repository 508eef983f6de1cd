package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import java.text.ParseException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.Optional;
import java.util.TimeZone;
import java.util.regex.Pattern;
import org.quartz.CronExpression;

/** When a job is due. */
public sealed interface Schedule {

    /** The first instant after {@code instant}, itself an instant of this schedule or any other; empty: never again. */
    Optional<Instant> after(Instant instant);

    /** The first instant after {@code now} of a schedule that was last due at {@code due}, skipping all between. */
    default Optional<Instant> skipTo(Instant due, Instant now) {
        return after(now);
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

        static final Duration SHORTEST = Duration.ofMillis(100);
        static final Duration LONGEST = Duration.ofDays(366);

        public FixedRate {
            if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
                throw OrthException.invalid("schedule.interval", "must be between 100 ms and 366 days");
            }
            if (interval.toNanosPart() % 1_000_000 != 0) {
                throw OrthException.invalid("schedule.interval", "must be whole milliseconds");
            }
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
            long whole = Duration.between(due, now).dividedBy(interval);
            return Optional.of(due.plus(interval.multipliedBy(whole + 1)));
        }
    }

    /** A cron expression of the Quartz dialect (seconds first, 6 or 7 fields), read in a time zone. */
    final class Cron implements Schedule {

        private static final int LONGEST = 200;

        /** Quartz takes these for its own signs of "no value" and "any value", and would fire at every one. */
        private static final Pattern INTERNAL_NUMBERS = Pattern.compile("(^|[\\s,/-])0*9[89]([\\s,/-]|$)");

        private final String expression;
        private final ZoneId zone;
        private final CronExpression compiled;

        public Cron(String expression, String zone) {
            this.expression = checked(expression);
            this.zone = parseZone(zone);
            this.compiled = compile(this.expression);
            this.compiled.setTimeZone(TimeZone.getTimeZone(this.zone));
        }

        public String expression() {
            return expression;
        }

        public ZoneId zone() {
            return zone;
        }

        @Override
        public Optional<Instant> after(Instant instant) {
            return Optional.ofNullable(compiled.getNextValidTimeAfter(Date.from(instant)))
                    .map(Date::toInstant);
        }

        private static String checked(String expression) {
            if (expression == null || expression.isBlank()) {
                throw OrthException.invalid("schedule.cron", "is missing");
            }
            if (expression.length() > LONGEST) {
                throw OrthException.invalid("schedule.cron", "must have at most %d characters".formatted(LONGEST));
            }
            String stripped = expression.strip();
            int fields = stripped.split("\\s+").length;
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
                return new CronExpression(expression);
            } catch (ParseException | RuntimeException e) {
                throw OrthException.invalid("schedule.cron", "cannot be read: " + e.getMessage());
            }
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
}
