package io.orth.admin.queuealert;

import java.time.Duration;
import java.time.Instant;

/**
 * State of a rule for one queue.
 *
 * @param since when the condition started to hold; null if it does not hold
 * @param alert the firing alert or the last reported one; null if there was none
 * @param toldAt when channels were last notified that it fires; the cooldown starts here
 * @param overTold whether channels were notified that it is resolved
 */
record AlertState(int rule, int queue, Instant since, boolean firing, Long alert, Instant toldAt, boolean overTold) {

    /** Result of an evaluation. */
    enum Step {
        NOTHING,
        /** The rule fires, and channels are notified. */
        FIRE,
        /** The rule fires again during the cooldown, without a notification. */
        COME_BACK,
        /** The rule still fires after the cooldown, and channels are notified again. */
        REMIND,
        /** The alert is resolved. Channels are notified unless they already were. */
        RECOVER,
        /** The rule no longer covers the queue. */
        STOP
    }

    /** @param after the new state; null if nothing needs to be stored */
    record Verdict(Step step, AlertState after) {}

    static AlertState none(int rule, int queue) {
        return new AlertState(rule, queue, null, false, null, null, true);
    }

    /** @param covered whether the rule still covers this queue */
    Verdict judge(AlertRule rule, boolean covered, boolean holds, Instant now) {
        boolean cooling = toldAt != null && now.isBefore(toldAt.plus(rule.spec().coolDown()));
        if (covered && holds) {
            return holding(rule, cooling, now);
        }
        AlertState quiet = cooling ? new AlertState(this.rule, queue, null, false, alert, toldAt, true) : null;
        if (!firing) {
            return new Verdict(Step.NOTHING, quiet);
        }
        return new Verdict(covered ? Step.RECOVER : Step.STOP, quiet);
    }

    private Verdict holding(AlertRule rule, boolean cooling, Instant now) {
        Instant from = since == null ? now : since;
        boolean longEnough = Duration.between(from, now).compareTo(rule.spec().holdFor()) >= 0;
        if (firing) {
            return cooling
                    ? new Verdict(Step.NOTHING, this)
                    : new Verdict(Step.REMIND, new AlertState(this.rule, queue, from, true, alert, now, false));
        }
        if (!longEnough) {
            return new Verdict(Step.NOTHING, new AlertState(this.rule, queue, from, false, alert, toldAt, overTold));
        }
        return cooling && alert != null
                ? new Verdict(Step.COME_BACK, new AlertState(this.rule, queue, from, true, alert, toldAt, overTold))
                : new Verdict(Step.FIRE, new AlertState(this.rule, queue, from, true, null, now, false));
    }

    AlertState withAlert(long id) {
        return new AlertState(rule, queue, since, firing, id, toldAt, overTold);
    }
}
