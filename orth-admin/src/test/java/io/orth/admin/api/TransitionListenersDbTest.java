package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.kernel.StateChanges;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The listeners of status changes in a complete admin. */
@Tag("must-kernel")
class TransitionListenersDbTest {

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    @Test
    void listenersHaveThisOrder() {
        StateChanges changes = admin.context().getBean(StateChanges.class);

        assertThat(changes.listeners())
                .extracting(listener ->
                        listener.entity() + " " + listener.getClass().getName())
                .containsExactly(
                        "RUN io.orth.admin.scheduling.FixedDelays",
                        "RUN io.orth.admin.completion.Retries",
                        "RUN io.orth.admin.completion.Children",
                        "RUN io.orth.admin.completion.SkippedRuns",
                        "RUN io.orth.admin.run.TurnSignal",
                        "RUN io.orth.admin.alarm.FailedRuns");
    }
}
