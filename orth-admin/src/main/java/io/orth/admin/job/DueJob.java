package io.orth.admin.job;

import java.time.Instant;

/** A job that is due, its row locked: {@code caughtUp} counts missed fires since it was last on time, {@code turn} all fires. */
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

    /** Fails where the stored schedule cannot be read. */
    public Schedule schedule() {
        return columns.toSchedule();
    }
}
