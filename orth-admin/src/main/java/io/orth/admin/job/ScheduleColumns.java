package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** A schedule as the columns of the job table. */
public record ScheduleColumns(String type, String cron, String zone, Long intervalMillis) {

    static ScheduleColumns of(Schedule schedule) {
        if (schedule instanceof Schedule.Cron cron) {
            return new ScheduleColumns("CRON", cron.expression(), cron.zone().getId(), null);
        }
        if (schedule instanceof Schedule.FixedRate rate) {
            return new ScheduleColumns("FIXED_RATE", null, null, rate.interval().toMillis());
        }
        if (schedule instanceof Schedule.Unreadable unreadable) {
            return unreadable.columns();
        }
        return new ScheduleColumns("NONE", null, null, null);
    }

    /** Reads the columns {@code schedule_type, cron, zone, interval_ms}. */
    static ScheduleColumns read(ResultSet row) throws SQLException {
        return new ScheduleColumns(
                row.getString("schedule_type"),
                row.getString("cron"),
                row.getString("zone"),
                SqlRows.longOrNull(row, "interval_ms"));
    }

    /** For lists and editors: one job that cannot be followed must not hide the others, nor itself. */
    Schedule toScheduleOrUnreadable() {
        try {
            return toSchedule();
        } catch (OrthException e) {
            return new Schedule.Unreadable(this, e.getMessage());
        }
    }

    Schedule toSchedule() {
        return switch (type) {
            case "CRON" -> new Schedule.Cron(cron, zone);
            case "FIXED_RATE" -> new Schedule.FixedRate(Duration.ofMillis(intervalMillis));
            case "NONE" -> new Schedule.None();
            default -> throw new IllegalStateException("unknown schedule type " + type);
        };
    }
}
