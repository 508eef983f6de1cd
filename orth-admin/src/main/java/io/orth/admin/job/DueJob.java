package io.orth.admin.job;

import java.time.Instant;

/**
 * A job whose time has come, with its row locked.
 *
 * @param caughtUp how many missed instants have been fired since it was last on time
 * @param turn how often it has fired
 */
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
