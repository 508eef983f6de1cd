package io.orth.executor.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.Registration;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RegistrationBeatTest {

    private static final Registration REGISTRATION =
            new Registration("tests", "http://localhost:9", new Registration.Instance("me", "here", 1, "0", true));

    private final AtomicInteger accepted = new AtomicInteger();
    private Outcome answer = new Outcome.Accepted();

    /** Results may wait although no beat ever failed: a failure of theirs alone is enough. */
    @Test
    void tellsOfEveryAcceptedBeatAndOfNoOther() throws Exception {
        RegistrationBeat beat = new RegistrationBeat(
                (path, body) -> answer, () -> REGISTRATION, Duration.ofSeconds(30), accepted::incrementAndGet);

        beat.run();
        beat.run();
        assertThat(accepted).hasValue(2);

        answer = new Outcome.Unreachable("told to be away");
        beat.run();
        answer = new Outcome.Refused("told to refuse");
        beat.run();
        assertThat(accepted).hasValue(2);
    }
}
