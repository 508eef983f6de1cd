package io.orth.executor.internal.liveness;

import io.orth.protocol.WorkerMetrics;
import io.orth.protocol.WorkerMetrics.Ram;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Metrics of this machine and this process. */
public final class ProcessMetrics {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final long KB_PER_MB = 1024;
    private static final long BYTES_PER_MB = 1024 * 1024;

    private final OperatingSystemMXBean system;
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final Path status;
    private final ProcessCpu processCpu = new ProcessCpu();

    public ProcessMetrics() {
        this(ManagementFactory.getOperatingSystemMXBean(), STATUS);
    }

    /** @param status a Linux process status file; if it does not exist, the memory taken by the JVM counts */
    ProcessMetrics(OperatingSystemMXBean system, Path status) {
        this.system = system;
        this.status = status;
    }

    /** Returns the one-minute load average divided by the number of cores, with two decimals; negative if unknown. */
    public double cpu() {
        double load = system.getSystemLoadAverage();
        return load < 0 ? WorkerMetrics.UNKNOWN : Math.round(100 * load / system.getAvailableProcessors()) / 100.0;
    }

    /** Returns the share of the machine's cores that this process used since the last heartbeat, from 0 to 1; negative if unknown. */
    public double processCpu() {
        return processCpu.share(system.getAvailableProcessors());
    }

    /** Returns the memory in megabytes, rounded to the nearest. */
    public Ram ram() {
        MemoryUsage heap = memory.getHeapMemoryUsage();
        return new Ram(residentMegabytes(heap), megabytes(heap.getUsed()), megabytes(heap.getCommitted()));
    }

    private long residentMegabytes(MemoryUsage heap) {
        return residentKilobytes()
                .map(kilobytes -> (kilobytes + KB_PER_MB / 2) / KB_PER_MB)
                .orElseGet(() -> megabytes(
                        heap.getCommitted() + memory.getNonHeapMemoryUsage().getCommitted()));
    }

    private Optional<Long> residentKilobytes() {
        try (Stream<String> lines = Files.lines(status, StandardCharsets.ISO_8859_1)) {
            return lines.map(RESIDENT::matcher)
                    .filter(Matcher::matches)
                    .map(line -> Long.valueOf(line.group(1)))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static long megabytes(long bytes) {
        return (bytes + BYTES_PER_MB / 2) / BYTES_PER_MB;
    }
}
