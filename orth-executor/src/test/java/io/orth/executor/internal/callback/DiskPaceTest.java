package io.orth.executor.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The promise of how soon a result is on disk, by a clock that stands still until it is moved. */
@Tag("must-executor")
class DiskPaceTest {

    private final AtomicLong now = new AtomicLong();
    private final DiskPace pace = new DiskPace(now::get);

    @Test
    void fiftyMillisecondsAreInTime() {
        writtenAfter(Duration.ofMillis(50));

        assertThat(pace.isLate()).isFalse();
    }

    @Test
    void aNanosecondMoreIsLate() {
        writtenAfter(Duration.ofMillis(50).plusNanos(1));

        assertThat(pace.isLate()).isTrue();
    }

    @Test
    void recoversAfterAMinuteWithoutDelay() {
        writtenAfter(Duration.ofSeconds(1));
        now.addAndGet(DiskPace.CALM.toNanos() / 2);
        writtenAfter(Duration.ofSeconds(1));

        now.addAndGet(DiskPace.CALM.toNanos());
        writtenAfter(Duration.ZERO);
        assertThat(pace.isLate()).isTrue();

        now.incrementAndGet();
        writtenAfter(Duration.ZERO);
        assertThat(pace.isLate()).isFalse();
    }

    private void writtenAfter(Duration taken) {
        long reportedAt = pace.now();
        now.addAndGet(taken.toNanos());
        pace.written(reportedAt);
    }
}
