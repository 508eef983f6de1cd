package io.orth.admin.api;

import io.orth.admin.job.Schedule;
import io.orth.admin.job.ScheduleColumns;
import io.orth.admin.kernel.OrthException;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * A schedule in requests and answers.
 *
 * @param type {@code CRON}, {@code FIXED_RATE} or {@code NONE}
 * @param cron for {@code CRON}: 6 or 7 fields of the Quartz dialect, seconds first
 * @param zone for {@code CRON}: the time zone it is read in, such as {@code Europe/Berlin}
 * @param interval for {@code FIXED_RATE}: an ISO 8601 duration such as {@code PT30S}
 */
record ScheduleBody(String type, String cron, String zone, String interval) {

    static ScheduleBody of(Schedule schedule) {
        if (schedule instanceof Schedule.Cron cron) {
            return new ScheduleBody("CRON", cron.expression(), cron.zone().getId(), null);
        }
        if (schedule instanceof Schedule.FixedRate rate) {
            return new ScheduleBody("FIXED_RATE", null, null, rate.interval().toString());
        }
        if (schedule instanceof Schedule.Unreadable unreadable) {
            ScheduleColumns stored = unreadable.columns();
            return new ScheduleBody(stored.type(), stored.cron(), stored.zone(), null);
        }
        return new ScheduleBody("NONE", null, null, null);
    }

    Schedule toSchedule() {
        if (type == null) {
            throw OrthException.invalid("schedule.type", "is missing; it is CRON, FIXED_RATE or NONE");
        }
        return switch (type) {
            case "CRON" -> new Schedule.Cron(cron, zone);
            case "FIXED_RATE" -> new Schedule.FixedRate(parseInterval());
            case "NONE" -> new Schedule.None();
            default -> throw OrthException.invalid("schedule.type", "must be CRON, FIXED_RATE or NONE");
        };
    }

    private Duration parseInterval() {
        if (interval == null) {
            throw OrthException.invalid("schedule.interval", "is missing; write PT30S for 30 seconds");
        }
        try {
            return Duration.parse(interval.strip());
        } catch (DateTimeException | ArithmeticException e) {
            throw OrthException.invalid("schedule.interval", "is not an ISO 8601 duration such as PT30S");
        }
    }
}
