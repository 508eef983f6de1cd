package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.RetryDecision.Outcome;
import io.orth.protocol.BackoffMillis;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("must-kernel")
class RetryDecisionTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RetryPolicy FOUR = new RetryPolicy(4, new Backoff(SECOND, 3, Duration.ofSeconds(5), 0));

    @Test
    void retriesUntilTheLastAttemptAfterGrowingDelays() {
        assertThat(IntStream.rangeClosed(1, 5).mapToObj(attempt -> RetryDecision.next(FOUR, attempt, null, false)))
                .containsExactly(
                        new RetryDecision(Outcome.RETRY, SECOND),
                        new RetryDecision(Outcome.RETRY, Duration.ofSeconds(3)),
                        new RetryDecision(Outcome.RETRY, Duration.ofSeconds(5)),
                        new RetryDecision(Outcome.EXHAUSTED, Duration.ZERO),
                        new RetryDecision(Outcome.EXHAUSTED, Duration.ZERO));
    }

    @Test
    void nonRetryableFailureIgnoresRemainingAttempts() {
        assertThat(RetryDecision.next(FOUR, 1, SECOND, true).outcome()).isEqualTo(Outcome.NON_RETRYABLE);
        assertThat(RetryDecision.next(FOUR, 4, null, true).outcome()).isEqualTo(Outcome.NON_RETRYABLE);
    }

    @Test
    void requestedDelayReplacesBackoffWithoutAddingAttempts() {
        assertThat(RetryDecision.next(FOUR, 1, Duration.ofHours(3), false).delay())
                .isEqualTo(Duration.ofHours(3));
        assertThat(RetryDecision.next(FOUR, 4, Duration.ofHours(3), false).outcome())
                .isEqualTo(Outcome.EXHAUSTED);
    }

    @Test
    void aRequestedDelayIsBounded() {
        assertThat(delay(Duration.ofSeconds(-1))).isZero();
        assertThat(delay(Duration.ofMillis(Long.MIN_VALUE))).isZero();
        assertThat(delay(Duration.ofMillis(Long.MAX_VALUE))).isEqualTo(Duration.ofDays(366));
        assertThat(delay(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Duration.ofDays(366));
    }

    private static Duration delay(Duration requested) {
        return RetryDecision.next(FOUR, 1, requested, false).delay();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "40, 86400", "100, 86400", "2147483646, 86400"})
    void noNumberOfAttemptsOverflowsTheDelay(int attempt, long seconds) {
        RetryPolicy policy = new RetryPolicy(Integer.MAX_VALUE, Backoff.doubling(SECOND, Duration.ofDays(1)));

        assertThat(RetryDecision.next(policy, attempt, null, false).delay()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void jitterStaysWithinMaxDelay() {
        RetryPolicy policy = new RetryPolicy(9, new Backoff(Duration.ofSeconds(10), 2, Duration.ofSeconds(22), 0.2));

        assertThat(delays(policy, 1, 0, 0.5, 1)).containsExactly(8_000L, 10_000L, 12_000L);
        assertThat(delays(policy, 2, 0, 0.5, 1)).containsExactly(16_000L, 19_000L, 22_000L);
        assertThat(delays(policy, 8, 0, 0.5, 1)).containsExactly(17_600L, 19_800L, 22_000L);
        assertThat(RetryDecision.next(policy, 1, null, false).delay())
                .isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }

    @Test
    void jitterLeavesARequestedDelayAlone() {
        RetryPolicy policy = new RetryPolicy(9, new Backoff(SECOND, 2, SECOND, 1));

        assertThat(RetryDecision.next(policy, 1, Duration.ofSeconds(7), false).delay())
                .isEqualTo(Duration.ofSeconds(7));
    }

    private static List<Long> delays(RetryPolicy policy, int attempt, double... randoms) {
        return Arrays.stream(randoms)
                .mapToObj(random -> RetryDecision.next(policy, attempt, null, false, () -> random)
                        .delay())
                .map(Duration::toMillis)
                .toList();
    }

    @Test
    void lostAttemptWaitsForBackoffAndAtLeastTheGrace() {
        Duration grace = Duration.ofSeconds(2);

        assertThat(IntStream.rangeClosed(1, 4).mapToObj(attempt -> RetryDecision.afterLoss(FOUR, attempt, grace)))
                .containsExactly(
                        new RetryDecision(Outcome.RETRY, grace),
                        new RetryDecision(Outcome.RETRY, Duration.ofSeconds(3)),
                        new RetryDecision(Outcome.RETRY, Duration.ofSeconds(5)),
                        new RetryDecision(Outcome.EXHAUSTED, Duration.ZERO));
    }

    @Test
    void unsetBackoffFieldsKeepDefaults() {
        Backoff usual = new Backoff(SECOND, 3, Duration.ofSeconds(5), 0.1);

        assertThat(usual.with((BackoffMillis) null)).isEqualTo(usual);
        assertThat(usual.with(new BackoffMillis(null, null, null, null))).isEqualTo(usual);
        assertThat(usual.with(new BackoffMillis(7_000L, null, null, null)))
                .isEqualTo(new Backoff(Duration.ofSeconds(7), 3, Duration.ofSeconds(7), 0.1));
        assertThat(usual.with(null, 1.0, Duration.ofSeconds(9), 0.0))
                .isEqualTo(new Backoff(SECOND, 1, Duration.ofSeconds(9), 0));
    }

    @ParameterizedTest
    @CsvSource({
        "initialDelay, -1, 2, 1000, 0",
        "initialDelay, 9223372036854775807, 2, 9223372036854775807, 0",
        "multiplier, 1, 0.99, 1000, 0",
        "multiplier, 1, 100.01, 1000, 0",
        "multiplier, 1, NaN, 1000, 0",
        "multiplier, 1, Infinity, 1000, 0",
        "maxDelay, 1000, 2, 999, 0",
        "maxDelay, 1, 2, 9223372036854775807, 0",
        "maxDelay, 0, 2, -1, 0",
        "jitter, 1, 2, 1000, -0.1",
        "jitter, 1, 2, 1000, 1.1",
        "jitter, 1, 2, 1000, NaN"
    })
    void aBadBackoffNamesItsField(String field, long initial, double multiplier, long max, double jitter) {
        assertThatThrownBy(() -> new Backoff(Duration.ofMillis(initial), multiplier, Duration.ofMillis(max), jitter))
                .isInstanceOf(OrthException.class)
                .hasMessageStartingWith("backoff.%s must be between", field);
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "101", "-2147483648"})
    void rejectsBadNumberOfAttempts(int maxAttempts) {
        assertThatThrownBy(() -> RetryPolicy.checkMaxAttempts(maxAttempts))
                .hasMessage("maxAttempts must be between 1 and 100, got " + maxAttempts);
    }

    @Test
    void rejectsSettingByItsKey() {
        assertThatThrownBy(() -> SettingRules.made("orth.alarm", () -> new Backoff(SECOND.negated(), 2, SECOND, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("orth.alarm.backoff.initial-delay must be between PT0S and P30D, got PT-1S");
    }
}
