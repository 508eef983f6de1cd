package io.orth.admin.job;

import java.time.Instant;

/** A due job with a locked row. {@code caughtUp} counts missed fires since the job was last on time, {@code turn} counts all fires. */
public record DueJob(
        int id,
        String name,
        int groupId,
        String handler,
        String param,
        ScheduleColumns columns,
        MisfirePolicy misfire,
        Execution execution,
        Integer sourceVersion,
        Instant dueAt,
        int caughtUp,
        Routing routing,
        long turn) {

    /** Returns the schedule; throws if the stored schedule is invalid. */
    public Schedule schedule() {
        return columns.toSchedule();
    }
}
