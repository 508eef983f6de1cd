package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.ExecutorStatus;
import io.orth.spring.ExecutorHealth.Verdict;
import io.orth.spring.OrthExecutorLifecycle.State;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("must-executor")
class ExecutorHealthTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    @ParameterizedTest
    @CsvSource({
        // state, registered, ms since the last heartbeat, draining -> status, state shown
        "NEW, false, , false, DOWN, not started",
        "RUNNING, true, 100, false, UP, running",
        "RUNNING, true, 29000, false, UP, running",
        "RUNNING, false, 14999, false, UP, running",
        "RUNNING, false, 15000, false, UNKNOWN, running",
        "RUNNING, false, , false, UNKNOWN, running",
        "RUNNING, true, 100, true, UP, draining",
        "RUNNING, false, 60000, true, UP, draining",
        "STOPPING, true, 100, false, DOWN, stopping",
        "STOPPED, false, 100, false, DOWN, stopped"
    })
    void isDownOnlyIfItCannotRecoverByItself(
            State state, boolean registered, Long sinceLastBeat, boolean draining, Verdict verdict, String shown) {
        Duration since = sinceLastBeat == null ? null : Duration.ofMillis(sinceLastBeat);

        ExecutorHealth health =
                ExecutorHealth.of(state, new ExecutorStatus(registered, since, 0, 0, 0, 0, draining, TIMEOUT));

        assertThat(health.verdict()).isEqualTo(verdict);
        assertThat(health.details()).containsEntry("state", shown);
    }

    @Test
    void reportsStatusDetails() {
        ExecutorStatus status = new ExecutorStatus(true, Duration.ofMillis(1_234), 1, 2, 3, 4, false, TIMEOUT);

        assertThat(ExecutorHealth.of(State.RUNNING, status).details())
                .containsEntry("registered", true)
                .containsEntry("lastAcknowledgedBeat", "1234 ms ago")
                .containsEntry("running", 1)
                .containsEntry("queued", 2)
                .containsEntry("leakedThreads", 3)
                .containsEntry("unsentResults", 4L);
        assertThat(ExecutorHealth.of(State.RUNNING, new ExecutorStatus(false, null, 0, 0, 0, 0, false, TIMEOUT))
                        .details())
                .containsEntry("lastAcknowledgedBeat", "never");
    }
}
