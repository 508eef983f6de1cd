package io.orth.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-kernel")
class HeartbeatRuleTest {

    @Test
    void everyDurationFollowsFromTheIntervalAndTheTimeout() {
        HeartbeatRule rule = HeartbeatRule.of(Duration.ofSeconds(4));

        assertThat(rule.timeout()).isEqualTo(Duration.ofSeconds(12));
        assertThat(rule.healthyFor()).isEqualTo(rule.timeout());
        assertThat(rule.slack()).isEqualTo(Duration.ofSeconds(8));
        assertThat(HeartbeatRule.DEFAULT).isEqualTo(new HeartbeatRule(Duration.ofSeconds(5), Duration.ofSeconds(15)));
    }

    @Test
    void executorStopsBeforeAdminMayDeclareItDead() {
        HeartbeatRule rule = new HeartbeatRule(Duration.ofSeconds(5), Duration.ofSeconds(10));

        assertThat(rule.startLease()).isLessThanOrEqualTo(rule.timeout());
        assertThat(rule.doubtAfter()).as("one heartbeat is missing").isGreaterThanOrEqualTo(rule.interval());
    }

    @Test
    void rejectsTimeoutBelowTwoIntervals() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HeartbeatRule(Duration.ofSeconds(5), Duration.ofMillis(9_999)))
                .withMessage("the heartbeat timeout (PT9.999S) must be at least twice the heartbeat interval (PT5S)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HeartbeatRule(Duration.ZERO, Duration.ofSeconds(1)))
                .withMessage("the heartbeat interval (PT0S) must be at least PT0.1S");
    }
}
