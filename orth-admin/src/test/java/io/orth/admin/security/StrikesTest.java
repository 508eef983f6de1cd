package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.testkit.ManualClock;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StrikesTest {

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final Strikes strikes = new Strikes(
            new Strikes.Settings(3, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1), 3), clock);

    @Test
    void admitsTheFreeAttempts() {
        hit("a", 3);

        assertThat(waitOf("a")).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void doublesTheWaitUpToTheLongest() {
        hit("a", 3);

        for (int seconds : new int[] {1, 2, 4, 8, 10, 10}) {
            assertThat(waitOf("a")).isEqualTo(Duration.ofSeconds(seconds));
            clock.advance(Duration.ofSeconds(seconds));
            hit("a", 1);
        }
    }

    @Test
    void admitsExactlyWhenTheDelayEnds() {
        hit("a", 3);

        clock.advance(Duration.ofMillis(999));
        assertThat(waitOf("a")).isEqualTo(Duration.ofMillis(1));
        clock.advance(Duration.ofMillis(1));
        assertThatCode(() -> strikes.admit("a")).doesNotThrowAnyException();
    }

    @Test
    void doesNotCountRejectedAttempts() {
        hit("a", 3);

        IntStream.range(0, 100).forEach(i -> waitOf("a"));

        assertThat(waitOf("a")).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void regainsAttemptsOverTime() {
        hit("a", 3);

        clock.advance(Duration.ofSeconds(1).plus(Duration.ofMinutes(2)));

        hit("a", 2);
        assertThat(waitOf("a")).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void refundsOneSuccessWithoutShorteningTheDelay() {
        hit("a", 3);
        clock.advance(Duration.ofSeconds(1));
        hit("a", 1);

        strikes.forgiveOne("a");

        assertThat(waitOf("a")).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void keepsKeysApart() {
        hit("a", 3);

        assertThatCode(() -> strikes.admit("b")).doesNotThrowAnyException();
    }

    @Test
    void forgetsTheLeastRecentlySeenKeyWhenFull() {
        hit("a", 3);
        hit("b", 1);
        hit("c", 1);
        hit("d", 1);

        assertThatCode(() -> strikes.admit("a")).doesNotThrowAnyException();
    }

    @Test
    void countsParallelAttemptsBeforeTheyAreChecked() {
        long admitted = IntStream.range(0, 1_000)
                .parallel()
                .filter(i -> {
                    try {
                        strikes.admit("a");
                        return true;
                    } catch (TooManyTriesException e) {
                        return false;
                    }
                })
                .count();

        assertThat(admitted).isEqualTo(3);
    }

    private void hit(String key, int times) {
        for (int i = 0; i < times; i++) {
            strikes.admit(key);
        }
    }

    private Duration waitOf(String key) {
        TooManyTriesException[] refused = new TooManyTriesException[1];
        assertThatExceptionOfType(TooManyTriesException.class)
                .isThrownBy(() -> strikes.admit(key))
                .satisfies(e -> refused[0] = e);
        return refused[0].retryAfter();
    }
}
