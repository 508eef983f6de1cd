package io.orth.executor.internal.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.WorkerMetrics.Ram;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-queues")
class ProcessMetricsTest {

    @TempDir
    Path directory;

    @Test
    void readsResidentMemoryFromTheSystemInMegabytes() throws IOException {
        Path status = Files.writeString(
                directory.resolve("status"), "Name:\tjava\nVmHWM:\t  999999 kB\nVmRSS:\t  123392 kB\nThreads:\t9\n");

        assertThat(new ProcessMetrics(status).ram().rss()).isEqualTo(121);
    }

    @Test
    void countsWhatTheJvmHasTakenWhereTheSystemDoesNotSay() {
        Ram ram = new ProcessMetrics(directory.resolve("missing")).ram();

        assertThat(ram.rss()).isGreaterThanOrEqualTo(ram.heapTotal());
    }

    @Test
    void heapInUseIsPartOfTheHeapAndTheHeapIsSmallerThanTheMachine() {
        Ram ram = new ProcessMetrics().ram();

        assertThat(ram.heapUsed()).isPositive().isLessThanOrEqualTo(ram.heapTotal());
        assertThat(ram.heapTotal()).isLessThan(1_000_000);
        assertThat(ram.rss()).isPositive().isLessThan(1_000_000);
    }

    @Test
    void loadIsPerCoreWithTwoDecimals() {
        double cpu = new ProcessMetrics().cpu();

        assertThat(cpu).isGreaterThanOrEqualTo(-1);
        assertThat(BigDecimal.valueOf(cpu).scale()).isLessThanOrEqualTo(2);
    }
}
