package io.orth.admin.api;

import io.orth.admin.job.JobSpec;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.OrthException;
import java.util.Arrays;

/**
 * What a job is to be.
 *
 * @param param what the handler gets; none where it is missing
 * @param schedule only by hand and by the API where it is missing
 * @param misfire {@code FIRE_ONCE} where it is missing
 * @param enabled whether it fires by its schedule; true where it is missing
 * @param version when changing a job: the one that was loaded
 */
record JobBody(
        String name,
        String groupId,
        String handler,
        String param,
        ScheduleBody schedule,
        String misfire,
        Boolean enabled,
        Integer version) {

    JobSpec toSpec() {
        Schedule when = schedule == null ? new Schedule.None() : schedule.toSchedule();
        return new JobSpec(name, parseGroup(), handler, param == null ? "" : param, when, parseMisfire());
    }

    boolean toBeEnabled() {
        return enabled == null || enabled;
    }

    private int parseGroup() {
        if (groupId == null) {
            throw OrthException.invalid("groupId", "is missing");
        }
        return Ids.parseInt("groupId", groupId);
    }

    private MisfirePolicy parseMisfire() {
        if (misfire == null) {
            return MisfirePolicy.FIRE_ONCE;
        }
        return Arrays.stream(MisfirePolicy.values())
                .filter(policy -> policy.name().equals(misfire))
                .findFirst()
                .orElseThrow(() -> OrthException.invalid("misfire", "must be DO_NOTHING, FIRE_ONCE or FIRE_ALL"));
    }
}
