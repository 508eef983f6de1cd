package io.orth.admin.job;

import java.time.Instant;

/** A job whose time has come, with its row locked. */
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
        Instant dueAt) {

    /** Fails where the stored schedule cannot be read. */
    public Schedule schedule() {
        return columns.toSchedule();
    }
}
