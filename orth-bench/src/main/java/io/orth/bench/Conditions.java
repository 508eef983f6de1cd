package io.orth.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What a benchmark was run on and with: the machine and the versions of everything that took part. */
final class Conditions {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private Conditions() {}

    static Map<String, Object> ofThisRun() {
        Map<String, Object> conditions = new TreeMap<>(versions());
        conditions.put("java", System.getProperty("java.vm.version"));
        conditions.put(
                "os",
                "%s %s %s"
                        .formatted(
                                System.getProperty("os.name"),
                                System.getProperty("os.version"),
                                System.getProperty("os.arch")));
        conditions.put("cpu", cpu());
        conditions.put("cores", Runtime.getRuntime().availableProcessors());
        conditions.put("memoryMb", memoryMb());
        conditions.put(
                "loadAtStart", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        return conditions;
    }

    private static Map<String, Object> versions() {
        Properties versions = new Properties();
        try (InputStream in = Conditions.class.getResourceAsStream("/bench-versions.properties")) {
            versions.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, Object> named = new TreeMap<>();
        versions.stringPropertyNames().forEach(name -> named.put(name, versions.getProperty(name)));
        return named;
    }

    private static String cpu() {
        try {
            return Files.readAllLines(CPU_INFO).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static long memoryMb() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize() >> 20
                : -1;
    }
}
