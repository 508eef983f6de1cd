package io.orth.bench.queue;

import io.orth.bench.Findings;
import io.orth.bench.Scratch;
import io.orth.bench.installation.BenchDatabase;
import java.nio.file.Files;
import java.nio.file.Path;

/** How soon after a push the handler begins, when nothing else is going on. */
public final class Latencies {

    private static final int WARM_UP = 20_000;
    private static final int SETTLING = 200;
    private static final int MESSAGES = 1_000;
    private static final double MEDIAN_MILLIS = 5;
    private static final double P99_MILLIS = 20;

    private final Path adminJar;

    public Latencies(Path adminJar) {
        this.adminJar = adminJar;
    }

    public Findings measure() throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"))) {
            Path own = Files.createTempDirectory(directory, "trial");
            try (OrthQueues orth = OrthQueues.start(adminJar, database.empty(), own, 8, own.resolve("seen"))) {
                orth.pushOneByOne(WARM_UP);
                StartTimes.measure(orth, SETTLING);
                return findings(StartTimes.measure(orth, MESSAGES));
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    private static Findings findings(StartTimes times) {
        double median = times.medianMillis();
        double p99 = times.p99Millis();
        return new Findings()
                .note("messages", times.messages(), "")
                .check("startMillis.median", Drains.rounded(median), "ms", "at most 5", median <= MEDIAN_MILLIS)
                .check("startMillis.p99", Drains.rounded(p99), "ms", "at most 20", p99 <= P99_MILLIS)
                .note("startMillis.worst", Drains.rounded(times.worstMillis()), "ms");
    }
}
