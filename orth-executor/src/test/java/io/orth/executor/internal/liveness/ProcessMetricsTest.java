package io.orth.executor.internal.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.WorkerMetrics.Ram;
import java.io.IOException;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.ObjectName;
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

        assertThat(new ProcessMetrics(new Machine(0, 1), status).ram().rss()).isEqualTo(121);
    }

    @Test
    void fallsBackToJvmMemoryWithoutSystemFigures() {
        Ram ram = new ProcessMetrics(new Machine(0, 1), directory.resolve("missing")).ram();

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
        assertThat(cpu(new Machine(3, 4))).isEqualTo(0.75);
        assertThat(cpu(new Machine(2, 3))).isEqualTo(0.67);
        assertThat(cpu(new Machine(9, 2))).isEqualTo(4.5);
        assertThat(cpu(new Machine(0, 8))).isZero();
    }

    @Test
    void loadIsNegativeWhereTheSystemDoesNotSay() {
        assertThat(cpu(new Machine(-1, 4))).isEqualTo(-1);
    }

    private double cpu(Machine machine) {
        return new ProcessMetrics(machine, directory.resolve("missing")).cpu();
    }

    private record Machine(double load, int cores) implements OperatingSystemMXBean {

        @Override
        public double getSystemLoadAverage() {
            return load;
        }

        @Override
        public int getAvailableProcessors() {
            return cores;
        }

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public String getArch() {
            return "test";
        }

        @Override
        public String getVersion() {
            return "test";
        }

        @Override
        public ObjectName getObjectName() {
            throw new UnsupportedOperationException();
        }
    }
}
