package io.orth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-kernel")
class DoublingDelayTest {

    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    @Test
    void doublesUpToTheLongest() {
        assertThat(IntStream.of(1, 2, 3, 4, 5, 6, 1_000_000)
                        .mapToObj(failures -> DoublingDelay.after(failures, SHORTEST, LONGEST))
                        .map(Duration::toMillis))
                .containsExactly(200L, 400L, 800L, 1_600L, 2_000L, 2_000L, 2_000L);
    }

    @Test
    void appliesJitterUpToAQuarterAndRestartsAfterSuccess() {
        DoublingDelay delay = new DoublingDelay(SHORTEST, LONGEST);

        assertThat(delay.next()).isBetween(Duration.ofMillis(150), SHORTEST);
        assertThat(delay.next()).isBetween(Duration.ofMillis(300), Duration.ofMillis(400));
        for (int i = 0; i < 100; i++) {
            delay.next();
        }
        assertThat(delay.next()).isBetween(Duration.ofMillis(1_500), LONGEST);

        delay.reset();
        assertThat(delay.next()).isBetween(Duration.ofMillis(150), SHORTEST);
    }
}
