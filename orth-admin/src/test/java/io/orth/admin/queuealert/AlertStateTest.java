package io.orth.admin.queuealert;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.queuealert.AlertState.Step;
import io.orth.admin.queuealert.AlertState.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One evaluation every 10 s: {@code x} if the rule holds, {@code .} if it does not, {@code -} if it does not apply to the queue. */
@Tag("must-queues")
class AlertStateTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    @Test
    void firesAndResolvesOnce() {
        assertThat(steps(0, 600, "..xxx..")).containsExactly("2 FIRE", "5 RECOVER told");
    }

    @Test
    void firesAfterHoldDuration() {
        assertThat(steps(20, 600, "x.xx.xxx")).containsExactly("7 FIRE");
    }

    @Test
    void reopensSilentlyDuringCooldown() {
        assertThat(steps(0, 600, "x.x.x."))
                .containsExactly("0 FIRE", "1 RECOVER told", "2 COME_BACK", "3 RECOVER", "4 COME_BACK", "5 RECOVER");
    }

    @Test
    void reopensAfterHoldDuration() {
        assertThat(steps(10, 600, "xx.x.xx")).containsExactly("1 FIRE", "2 RECOVER told", "6 COME_BACK");
    }

    @Test
    void remindsAfterCooldown() {
        assertThat(steps(0, 60, "xxxxxxxxxxxxxx."))
                .containsExactly("0 FIRE", "6 REMIND", "12 REMIND", "14 RECOVER told");
    }

    @Test
    void remindsOfReopenedAlertAndNotifiesResolution() {
        assertThat(steps(0, 60, "x.xxxxx."))
                .containsExactly("0 FIRE", "1 RECOVER told", "2 COME_BACK", "6 REMIND", "7 RECOVER told");
    }

    @Test
    void firesNewAlertAfterCooldown() {
        assertThat(steps(0, 60, "x......x")).containsExactly("0 FIRE", "1 RECOVER told", "7 FIRE");
    }

    @Test
    void stopsSilentlyWhenRuleNoLongerApplies() {
        assertThat(steps(0, 600, "xx--x")).containsExactly("0 FIRE", "2 STOP", "4 COME_BACK");
    }

    @Test
    void storesNoStateOfQuietRule() {
        assertThat(AlertState.none(1, 2).judge(rule(0, 60), true, false, START))
                .isEqualTo(new Verdict(Step.NOTHING, null));
    }

    private static List<String> steps(int forSeconds, int coolDownSeconds, String looks) {
        AlertRule rule = rule(forSeconds, coolDownSeconds);
        AlertState state = AlertState.none(1, 2);
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < looks.length(); i++) {
            Verdict verdict =
                    state.judge(rule, looks.charAt(i) != '-', looks.charAt(i) == 'x', START.plusSeconds(10L * i));
            AlertJudgement judgement = new AlertJudgement(rule, null, state, "found", verdict);
            if (verdict.step() == Step.FIRE) {
                verdict = new Verdict(verdict.step(), verdict.after().withAlert(7));
            }
            if (verdict.step() != Step.NOTHING) {
                boolean over = verdict.step() == Step.RECOVER && judgement.isTold();
                steps.add("%d %s%s".formatted(i, verdict.step(), over ? " told" : ""));
            }
            state = verdict.after() == null ? AlertState.none(1, 2) : verdict.after();
        }
        return steps;
    }

    private static AlertRule rule(int forSeconds, int coolDownSeconds) {
        AlertRuleSpec spec = new AlertRuleSpec(
                "rule",
                null,
                new AlertCondition.NoWorkers(),
                Duration.ofSeconds(forSeconds),
                Duration.ofSeconds(coolDownSeconds),
                true);
        return new AlertRule(1, spec, null, 1, START, START);
    }
}
