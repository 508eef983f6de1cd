package io.orth.admin.scheduling;

import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.run.TriggerType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What to do about a job that is due: which instants get a run, and when it is due next (null: never again).
 *
 * <p>Instants within the threshold are on time and each gets its run. Of those missed by more, the policy decides: none, one
 * run in the name of the oldest, or one each. The next instant may itself have passed; then the next pass goes on with it.
 */
record FirePlan(List<Fire> fires, Instant next) {

    record Fire(Instant at, TriggerType type) {}

    static FirePlan of(
            Schedule schedule, MisfirePolicy policy, Instant due, Instant now, SchedulingProperties properties) {
        Instant beforeOnTime = now.minus(properties.misfireAfter()).minusNanos(1);
        List<Fire> fires = new ArrayList<>();
        Instant instant = due;
        while (instant != null && !instant.isAfter(now) && fires.size() < properties.catchUpPerPass()) {
            boolean missed = Duration.between(instant, now).compareTo(properties.misfireAfter()) > 0;
            if (missed && policy == MisfirePolicy.DO_NOTHING) {
                instant = schedule.skipTo(instant, beforeOnTime).orElse(null);
            } else if (missed && policy == MisfirePolicy.FIRE_ONCE) {
                fires.add(new Fire(instant, TriggerType.MISFIRE));
                instant = schedule.skipTo(instant, beforeOnTime).orElse(null);
            } else {
                fires.add(new Fire(instant, missed ? TriggerType.MISFIRE : TriggerType.SCHEDULE));
                instant = schedule.after(instant).orElse(null);
            }
        }
        return new FirePlan(fires, instant);
    }
}
