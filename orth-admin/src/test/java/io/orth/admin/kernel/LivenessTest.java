package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.runtime.Duty;
import io.orth.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LivenessTest {

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final Liveness liveness = new Liveness(
            "watched",
            Duration.ofSeconds(15),
            Duration.ofSeconds(6),
            () -> clock.ticker().getAsLong());

    @Test
    void declaresNoExecutorDeadSoonAfterStart() {
        passFor(14);
        assertThat(liveness.mayJudge()).isFalse();

        passFor(1);
        assertThat(liveness.mayJudge()).isTrue();
    }

    @Test
    void failedPassRestartsTheWait() {
        passFor(20);
        liveness.failed("watched", 1, new IllegalStateException("database is away"));
        assertThat(liveness.mayJudge()).isFalse();

        passFor(15);
        assertThat(liveness.mayJudge()).isTrue();
    }

    @Test
    void processPauseRestartsTheWait() {
        passFor(20);
        clock.advance(Duration.ofSeconds(60));
        assertThat(liveness.mayJudge()).isFalse();

        passFor(14);
        assertThat(liveness.mayJudge()).isFalse();
        passFor(2);
        assertThat(liveness.mayJudge()).isTrue();
    }

    @Test
    void nodeIsHealthyBetweenSuccessfulPasses() {
        assertThat(liveness.isWell()).as("at the start").isTrue();

        liveness.failed("watched", 1, new IllegalStateException("database is away"));
        assertThat(liveness.isWell()).as("after a failure").isFalse();

        passFor(1);
        assertThat(liveness.isWell()).as("after a pass").isTrue();
    }

    @Test
    void nodeIsUnhealthyWhilePassesHang() {
        passFor(20);
        clock.advance(Duration.ofSeconds(7));

        assertThat(liveness.isWell()).isFalse();
    }

    @Test
    void ignoresOtherLoops() {
        passFor(20);

        liveness.failed("other", 1, new IllegalStateException("no"));

        assertThat(liveness.mayJudge()).isTrue();
    }

    private void passFor(int seconds) {
        for (int i = 0; i < seconds; i++) {
            clock.advance(Duration.ofSeconds(1));
            liveness.passed("watched", Duty.Pass.DRAINED);
        }
    }
}
