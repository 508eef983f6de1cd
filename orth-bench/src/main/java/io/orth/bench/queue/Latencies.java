package io.orth.bench.queue;

import io.orth.bench.Benchmark;
import io.orth.bench.Findings;
import io.orth.bench.Rounds;
import io.orth.bench.Scratch;
import io.orth.bench.Sizes;
import io.orth.bench.installation.BenchDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How soon after a push the handler begins, when nothing else is going on. */
public final class Latencies implements Benchmark {

    private static final int REPEATS = Sizes.of("repeats", 3, 3);
    private static final int WARM_UP = Sizes.of("warmUpMessages", 20_000, 5_000);
    private static final int SETTLING = 200;
    private static final int MESSAGES = Sizes.of("pushes", 1_000, 500);
    private static final int CONCURRENCY = 8;
    private static final double MEDIAN_MILLIS = 5;
    private static final double P99_MILLIS = 20;

    private final Path adminJar;

    public Latencies(Path adminJar) {
        this.adminJar = adminJar;
    }

    @Override
    public void describe(Findings findings) {
        findings.setting("repeats", REPEATS)
                .setting("messages", MESSAGES)
                .setting("warmUpMessages", WARM_UP + SETTLING)
                .setting("orth.concurrency", CONCURRENCY);
    }

    @Override
    public void measure(Findings findings) throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"), findings)) {
            Path own = Files.createTempDirectory(directory, "trial");
            try (OrthQueues orth =
                    OrthQueues.start(adminJar, database.empty(), own, CONCURRENCY, own.resolve("seen"))) {
                orth.pushOneByOne(WARM_UP);
                StartTimes.measure(orth, SETTLING);
                List<StartTimes> rounds = new ArrayList<>();
                for (int i = 0; i < REPEATS; i++) {
                    rounds.add(StartTimes.measure(orth, MESSAGES));
                }
                report(findings, rounds);
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    static void report(Findings findings, List<StartTimes> rounds) {
        StartTimes times = Rounds.median(rounds, StartTimes::p99Millis);
        double median = times.medianMillis();
        double p99 = times.p99Millis();
        findings.check("startMillis.median", Drains.rounded(median), "ms", "at most 5", median <= MEDIAN_MILLIS)
                .check("startMillis.p99", Drains.rounded(p99), "ms", "at most 20", p99 <= P99_MILLIS)
                .note("startMillis.worst", Drains.rounded(times.worstMillis()), "ms")
                .rounds("startMillis.median", Drains.rounded(rounds, StartTimes::medianMillis), "ms")
                .rounds("startMillis.p99", Drains.rounded(rounds, StartTimes::p99Millis), "ms");
    }
}
