package io.orth.admin.api;

import io.orth.admin.job.Schedule;
import io.orth.admin.job.ScheduleColumns;
import io.orth.admin.kernel.OrthException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Schedule in requests and responses.
 *
 * @param type {@code CRON}, {@code FIXED_RATE}, {@code FIXED_DELAY}, {@code ONE_SHOT} or {@code NONE}
 * @param cron for {@code CRON}: 6 or 7 fields of the Quartz dialect, seconds first
 * @param zone for {@code CRON}: time zone of the expression, such as {@code Europe/Berlin}
 * @param interval for {@code FIXED_RATE} and {@code FIXED_DELAY}: an ISO 8601 duration such as {@code PT30S}
 * @param at for {@code ONE_SHOT}: the fire time
 * @param start for repeating schedules: the first instant at which it may fire; null for any
 * @param end for repeating schedules: the last instant at which it may fire; null for any
 */
record ScheduleBody(String type, String cron, String zone, String interval, String at, String start, String end) {

    private static final String TYPES = "CRON, FIXED_RATE, FIXED_DELAY, ONE_SHOT or NONE";

    /** Fields of each type; {@code start} and {@code end} are checked by the schedule itself. */
    private static final Map<String, List<String>> FIELDS = Map.of(
            "CRON", List.of("schedule.cron", "schedule.zone"),
            "FIXED_RATE", List.of("schedule.interval"),
            "FIXED_DELAY", List.of("schedule.interval"),
            "ONE_SHOT", List.of("schedule.at"),
            "NONE", List.of());

    static ScheduleBody of(Schedule schedule) {
        ScheduleColumns columns = ScheduleColumns.of(schedule);
        return new ScheduleBody(
                columns.type(),
                columns.cron(),
                columns.zone(),
                text(columns.intervalMillis() == null ? null : Duration.ofMillis(columns.intervalMillis())),
                text(columns.at()),
                text(columns.start()),
                text(columns.end()));
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    Schedule toSchedule() {
        if (type == null) {
            throw OrthException.invalid("schedule.type", "is missing; it is " + TYPES);
        }
        if (!FIELDS.containsKey(type)) {
            throw OrthException.invalid("schedule.type", "must be " + TYPES);
        }
        refuseForeign("schedule.cron", cron);
        refuseForeign("schedule.zone", zone);
        refuseForeign("schedule.interval", interval);
        refuseForeign("schedule.at", at);
        return planned()
                .within(Instants.parseOptional("schedule.start", start), Instants.parseOptional("schedule.end", end));
    }

    private Schedule planned() {
        return switch (type) {
            case "CRON" -> new Schedule.Cron(cron, zone);
            case "FIXED_RATE" -> new Schedule.FixedRate(parseInterval());
            case "FIXED_DELAY" -> new Schedule.FixedDelay(parseInterval());
            case "ONE_SHOT" -> new Schedule.OneShot(Instants.parse("schedule.at", at));
            default -> new Schedule.None();
        };
    }

    /** Rejects a field of another type: it would be ignored, although the caller meant it to have an effect. */
    private void refuseForeign(String field, String value) {
        if (value != null && !FIELDS.get(type).contains(field)) {
            throw OrthException.invalid(field, "does not belong to a schedule of type " + type);
        }
    }

    private Duration parseInterval() {
        if (interval == null) {
            throw OrthException.invalid("schedule.interval", "is missing; write PT30S for 30 seconds");
        }
        return BackoffBody.parse("schedule.interval", interval);
    }
}
