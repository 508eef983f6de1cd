package io.orth.admin.queuealert;

import io.orth.admin.alarm.AlarmNotice;
import io.orth.admin.queue.Queue;
import io.orth.admin.queuealert.AlertState.Step;
import io.orth.admin.queuealert.AlertState.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Result of evaluating one rule for one queue.
 *
 * @param found the finding; null if the condition does not hold
 */
record AlertJudgement(AlertRule rule, Queue queue, AlertState before, String found, Verdict verdict) {

    /** @param known the stored state; null if there is none */
    static AlertJudgement of(AlertRule rule, Queue queue, AlertState known, Optional<String> found, Instant now) {
        AlertState state = known == null ? AlertState.none(rule.id(), queue.id()) : known;
        Verdict verdict = state.judge(rule, rule.covers(queue), found.isPresent(), now);
        return new AlertJudgement(rule, queue, state, found.orElse(null), verdict);
    }

    boolean is(Step step) {
        return verdict.step() == step;
    }

    /** Returns whether the evaluation changes the stored state. */
    boolean changes() {
        AlertState after = verdict.after();
        return verdict.step() != Step.NOTHING
                || !before.equals(after == null ? AlertState.none(before.rule(), before.queue()) : after);
    }

    /** Returns whether channels are notified. */
    boolean isTold() {
        return is(Step.FIRE) || is(Step.REMIND) || (is(Step.RECOVER) && !before.overTold());
    }

    AlarmNotice notice(Instant now) {
        boolean over = is(Step.RECOVER);
        String text = over ? "over after " + AlertWords.time(Duration.between(before.since(), now)) : found;
        return new AlarmNotice(queue.name(), rule.spec().name(), over, text, queue.groupId(), now);
    }
}
