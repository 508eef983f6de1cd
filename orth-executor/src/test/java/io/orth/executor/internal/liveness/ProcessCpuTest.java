package io.orth.executor.internal.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-first")
class ProcessCpuTest {

    private Duration used = Duration.ofSeconds(30);
    private long nanos = -7;
    private final ProcessCpu cpu = new ProcessCpu(() -> Optional.ofNullable(used), () -> nanos);

    @Test
    void isTheShareOfAllCoresSinceTheLastMeasurement() {
        pass(Duration.ofSeconds(5), Duration.ofSeconds(5));
        assertThat(cpu.share(2)).isEqualTo(0.5);

        pass(Duration.ofSeconds(5), Duration.ofMillis(333));
        assertThat(cpu.share(2)).isEqualTo(0.03);

        pass(Duration.ofSeconds(5), Duration.ZERO);
        assertThat(cpu.share(2)).isZero();
    }

    @Test
    void isNotKnownBeforeTheFirstSecond() {
        pass(Duration.ofMillis(999), Duration.ofMillis(999));

        assertThat(cpu.share(1)).isNegative();
    }

    @Test
    void keepsValueForSecondReadWithinInterval() {
        pass(Duration.ofSeconds(4), Duration.ofSeconds(1));
        assertThat(cpu.share(1)).isEqualTo(0.25);

        pass(Duration.ofMillis(500), Duration.ofMillis(500));
        assertThat(cpu.share(1)).isEqualTo(0.25);
        pass(Duration.ofMillis(500), Duration.ofMillis(500));
        assertThat(cpu.share(1)).isEqualTo(1);
    }

    @Test
    void isNotKnownWhereTheSystemDoesNotSay() {
        used = null;
        nanos += Duration.ofSeconds(5).toNanos();

        assertThat(cpu.share(1)).isNegative();
    }

    @Test
    void neverExceedsAllCores() {
        pass(Duration.ofSeconds(1), Duration.ofMillis(1010));

        assertThat(cpu.share(1)).isEqualTo(1);
    }

    private void pass(Duration time, Duration cpuTime) {
        nanos += time.toNanos();
        used = used.plus(cpuTime);
    }
}
