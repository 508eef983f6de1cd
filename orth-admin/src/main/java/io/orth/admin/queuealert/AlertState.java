package io.orth.admin.queuealert;

import java.time.Duration;
import java.time.Instant;

/**
 * How a rule stands for a queue.
 *
 * @param since since when it holds; null where it does not
 * @param alert the alert that fires, or was told last; null where none was
 * @param toldAt when people were last told that it fires; the cool-down counts from here
 * @param overTold whether they know that it is over
 */
record AlertState(int rule, int queue, Instant since, boolean firing, Long alert, Instant toldAt, boolean overTold) {

    /** What follows from a look at it. */
    enum Step {
        NOTHING,
        /** It fires, and people are told. */
        FIRE,
        /** It fires again while the cool-down lasts: nobody is told. */
        COME_BACK,
        /** It still fires, and the cool-down is over: people are told again. */
        REMIND,
        /** It is over, and people are told if they do not know. */
        RECOVER,
        /** Its rule is not about it any more. */
        STOP
    }

    /** @param after how it stands then; null where there is nothing to remember */
    record Verdict(Step step, AlertState after) {}

    static AlertState none(int rule, int queue) {
        return new AlertState(rule, queue, null, false, null, null, true);
    }

    /** @param covered whether the rule is still about this queue */
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
