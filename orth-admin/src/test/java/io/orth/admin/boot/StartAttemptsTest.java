package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-first")
class StartAttemptsTest {

    /** As the pool says it when no connection could be had in time. */
    private final RuntimeException away = new IllegalStateException(
            "no bean", new StartFailure("cannot use the database", new SQLTransientConnectionException("timed out")));

    private final RuntimeException lost =
            new IllegalStateException("no bean", new SQLException("terminating connection", "57P01"));

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
    private final StartAttempts attempts = new StartAttempts(nanos::get);

    @Test
    void aDatabaseThatWasNeverReachedEndsTheStart() {
        assertThat(attempts.isWorthAnother(away)).isFalse();
    }

    @Test
    void toleratesLostDatabaseForDurationOfFailover() {
        assertThat(attempts.isWorthAnother(lost)).isTrue();
        for (int i = 0; i < 10; i++) {
            advance(StartAttempts.PATIENCE.dividedBy(11));
            assertThat(attempts.isWorthAnother(away)).isTrue();
        }
        assertThat(attempts.isWorthAnother(lost)).isTrue();

        advance(StartAttempts.PATIENCE.dividedBy(10));

        assertThat(attempts.isWorthAnother(away)).isFalse();
    }

    @Test
    void aFailureOfAnotherKindEndsTheStartAtAnyTime() {
        RuntimeException wrong = new IllegalStateException(new StartFailure("the configuration is wrong"));

        assertThat(attempts.isWorthAnother(wrong)).isFalse();
        assertThat(attempts.isWorthAnother(lost)).isTrue();
        assertThat(attempts.isWorthAnother(wrong)).isFalse();
    }

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
