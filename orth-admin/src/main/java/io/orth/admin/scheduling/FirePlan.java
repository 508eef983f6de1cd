package io.orth.admin.scheduling;

import io.orth.admin.job.DecisionLedger;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.job.Stretch;
import io.orth.admin.run.TriggerType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The plan for a due job: fire times that get a run, skipped fire times with reasons, and the next fire time (null if there is none or if
 * it depends on the end of a run).
 *
 * <p>Fire times within the misfire threshold are on time and each gets its run. The misfire policy decides about later ones: none, one run
 * for the oldest, or one run each up to a cap. The next fire time may itself have passed; then the next pass continues with it.
 *
 * @param caughtUp the number of missed fires caught up since the job was last on time
 */
record FirePlan(List<Fire> fires, List<Skipped> skipped, Instant next, int caughtUp) {

    static final FirePlan NOTHING = new FirePlan(List.of(), List.of(), null, 0);

    record Fire(Instant at, TriggerType type) {}

    record Skipped(DecisionReason reason, Stretch stretch) {}

    /** The state of the job that the plan depends on. */
    record Planned(Schedule schedule, MisfirePolicy policy, Instant due, int caughtUp) {}

    static FirePlan of(Planned job, Instant now, SchedulingProperties properties) {
        return new Maker(job, now, properties).make();
    }

    /** Iterates over the fire times, starting with the one that is due. */
    private static final class Maker {

        private final Schedule schedule;
        private final MisfirePolicy policy;
        private final Instant now;
        private final SchedulingProperties properties;
        /** Earlier fire times are missed. */
        private final Instant onTimeFrom;

        private final List<Fire> fires = new ArrayList<>();
        private final List<Skipped> skipped = new ArrayList<>();
        private Instant instant;
        private int caughtUp;

        Maker(Planned job, Instant now, SchedulingProperties properties) {
            this.schedule = job.schedule();
            this.policy = job.policy();
            this.now = now;
            this.properties = properties;
            this.onTimeFrom = now.minus(properties.misfireAfter());
            this.instant = schedule.includes(job.due()) ? job.due() : null;
            this.caughtUp = job.caughtUp();
        }

        FirePlan make() {
            while (instant != null && !instant.isAfter(now) && fires.size() < properties.catchUpPerPass()) {
                if (instant.isBefore(onTimeFrom)) {
                    catchUp();
                } else {
                    caughtUp = 0;
                    fire(TriggerType.SCHEDULE);
                }
            }
            return new FirePlan(fires, skipped, instant, caughtUp);
        }

        private void catchUp() {
            if (policy == MisfirePolicy.DO_NOTHING) {
                skipMissed(DecisionReason.MISSED);
            } else if (policy == MisfirePolicy.FIRE_ONCE) {
                fire(TriggerType.MISFIRE);
                skipMissed(DecisionReason.MERGED);
            } else if (caughtUp < properties.catchUpAtMost()) {
                caughtUp++;
                fire(TriggerType.MISFIRE);
            } else {
                skipMissed(DecisionReason.CATCH_UP_CAP);
            }
        }

        private void fire(TriggerType type) {
            fires.add(new Fire(instant, type));
            instant = schedule.awaitsRuns() ? null : schedule.after(instant).orElse(null);
        }

        private void skipMissed(DecisionReason reason) {
            if (instant == null || !instant.isBefore(onTimeFrom)) {
                return;
            }
            if (schedule.awaitsRuns()) {
                skipped.add(new Skipped(reason, Stretch.of(instant)));
                instant = schedule.after(now).orElse(null);
                return;
            }
            Instant lastMissed = onTimeFrom.minusNanos(1);
            schedule.stretch(instant, lastMissed, DecisionLedger.COUNTED_AT_MOST)
                    .ifPresent(stretch -> skipped.add(new Skipped(reason, stretch)));
            instant = schedule.skipTo(instant, lastMissed).orElse(null);
        }
    }
}
