package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** A schedule in the form of the columns of the job table. */
public record ScheduleColumns(
        String type, String cron, String zone, Long intervalMillis, Instant at, Instant start, Instant end) {

    /** Columns to select for {@link #read}. */
    static final String NAMES = "schedule_type, cron, zone, interval_ms, fire_at, starts_at, ends_at";

    public static ScheduleColumns of(Schedule schedule) {
        if (schedule instanceof Schedule.Windowed windowed) {
            return of(windowed.planned()).within(windowed.start(), windowed.end());
        }
        if (schedule instanceof Schedule.Cron cron) {
            return new ScheduleColumns("CRON", cron.expression(), cron.zone().getId(), null, null, null, null);
        }
        if (schedule instanceof Schedule.FixedRate rate) {
            return repeated("FIXED_RATE", rate.interval());
        }
        if (schedule instanceof Schedule.FixedDelay delay) {
            return repeated("FIXED_DELAY", delay.interval());
        }
        if (schedule instanceof Schedule.OneShot once) {
            return new ScheduleColumns("ONE_SHOT", null, null, null, once.at(), null, null);
        }
        if (schedule instanceof Schedule.Unreadable unreadable) {
            return unreadable.columns();
        }
        return new ScheduleColumns("NONE", null, null, null, null, null, null);
    }

    private static ScheduleColumns repeated(String type, Duration interval) {
        return new ScheduleColumns(type, null, null, interval.toMillis(), null, null, null);
    }

    private ScheduleColumns within(Instant first, Instant last) {
        return new ScheduleColumns(type, cron, zone, intervalMillis, at, first, last);
    }

    /** Reads the columns {@link #NAMES}. */
    static ScheduleColumns read(ResultSet row) throws SQLException {
        return new ScheduleColumns(
                row.getString("schedule_type"),
                row.getString("cron"),
                row.getString("zone"),
                SqlRows.longOrNull(row, "interval_ms"),
                SqlRows.instant(row, "fire_at"),
                SqlRows.instant(row, "starts_at"),
                SqlRows.instant(row, "ends_at"));
    }

    /** Binds {@code :type, :cron, :zone, :interval, :at, :start, :end}. */
    StatementSpec bind(StatementSpec statement) {
        return statement
                .param("type", type)
                .param("cron", cron)
                .param("zone", zone)
                .param("interval", intervalMillis)
                .param("at", SqlRows.timestamp(at))
                .param("start", SqlRows.timestamp(start))
                .param("end", SqlRows.timestamp(end));
    }

    /**
     * Returns the schedule, or an {@link Schedule.Unreadable} if it is invalid. Used by lists and editors, where an invalid schedule must
     * not hide its own or other jobs.
     */
    Schedule toScheduleOrUnreadable() {
        try {
            return toSchedule();
        } catch (OrthException e) {
            return new Schedule.Unreadable(this, e.getMessage());
        }
    }

    Schedule toSchedule() {
        Schedule planned = switch (type) {
            case "CRON" -> new Schedule.Cron(cron, zone);
            case "FIXED_RATE" -> new Schedule.FixedRate(Duration.ofMillis(intervalMillis));
            case "FIXED_DELAY" -> new Schedule.FixedDelay(Duration.ofMillis(intervalMillis));
            case "ONE_SHOT" -> new Schedule.OneShot(at);
            case "NONE" -> new Schedule.None();
            default -> throw new IllegalStateException("unknown schedule type " + type);
        };
        return planned.within(start, end);
    }
}
