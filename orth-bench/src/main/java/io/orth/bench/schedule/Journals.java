package io.orth.bench.schedule;

import io.orth.bench.Benchmark;
import io.orth.bench.Findings;
import io.orth.bench.Rounds;
import io.orth.bench.Scratch;
import io.orth.bench.Sizes;
import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.Patience;
import io.orth.bench.journal.WithoutJournal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What it costs to journal and relay every change of state. Jobs that fire again as soon as they have ended keep everything
 * busy, with the journal and without in turns; and then the lag of the relay at the full rate of the benchmark of schedules.
 */
public final class Journals implements Benchmark {

    private static final int REPEATS = Sizes.of("repeats", 3, 1);
    private static final int BUSY_JOBS = 2_000;
    private static final int FULL_RATE = 5_000;
    private static final Duration WARM_UP = Sizes.seconds("warmUpSeconds", 30, 15);
    private static final Duration WINDOW = Sizes.seconds("windowSeconds", 20, 10);
    private static final Duration SAMPLE_EVERY = Duration.ofMillis(100);
    private static final double DEAREST = 0.25;
    private static final long LONGEST_LAG_MILLIS = 1_000;

    private static final String IMPORTS =
            "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

    /** Whichever was written first of what has no position and of what some sink has not taken. */
    private static final String LAG_MILLIS = """
            select coalesce(max(extract(epoch from clock_timestamp() - oldest.written_at) * 1000), 0)::bigint
              from ((select written_at from orth_journal where position is null order by batch limit 1)
                    union all
                    (select written_at
                       from orth_journal
                      where position > (select coalesce(min(position), 0) from orth_sink)
                      order by position
                      limit 1)) oldest
            """;

    /** What was done in the window. */
    record Trial(long runs, BenchDatabase.Counters cost) {

        double perSecond() {
            return runs / (double) WINDOW.toSeconds();
        }

        double perRun(long amount) {
            return amount / (double) Math.max(1, runs);
        }
    }

    private final Path adminJar;

    public Journals(Path adminJar) {
        this.adminJar = adminJar;
    }

    @Override
    public void describe(Findings findings) {
        findings.setting("repeats", REPEATS)
                .setting("warmUpSeconds", WARM_UP.toSeconds())
                .setting("windowSeconds", WINDOW.toSeconds())
                .setting("cost.jobs", BUSY_JOBS)
                .setting("lag.repeats", 1)
                .setting("lag.jobs", FULL_RATE)
                .setting("lag.sampledEveryMillis", SAMPLE_EVERY.toMillis());
    }

    @Override
    public void measure(Findings findings) throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"), findings)) {
            String without = "-Dloader.path=" + withoutJournal(directory.resolve("without-journal"));
            List<Trial> on = new ArrayList<>();
            List<Trial> off = new ArrayList<>();
            for (int i = 0; i < REPEATS; i++) {
                on.add(busy(database, directory, List.of()));
                off.add(busy(database, directory, List.of(without)));
            }
            costs(findings, on, off);
            lag(findings, database, directory);
        } finally {
            Scratch.delete(directory);
        }
    }

    static void costs(Findings findings, List<Trial> on, List<Trial> off) {
        double cost = 1 - median(on).perSecond() / median(off).perSecond();
        tell(findings, "with", on);
        tell(findings, "without", off);
        findings.check("cost", rounded(cost), "", "at most " + DEAREST, cost <= DEAREST);
    }

    private static void tell(Findings findings, String name, List<Trial> trials) {
        Trial trial = median(trials);
        findings.note(name + ".runsPerSecond", Math.round(trial.perSecond()), "")
                .rounds(
                        name + ".runsPerSecond",
                        trials.stream()
                                .map(each -> Math.round(each.perSecond()))
                                .toList(),
                        "")
                .note(
                        name + ".walBytesPerRun",
                        Math.round(trial.perRun(trial.cost().walBytes())),
                        "B")
                .note(name + ".commitsPerRun", rounded(trial.perRun(trial.cost().commits())), "")
                .note(
                        name + ".statementsPerRun",
                        rounded(trial.perRun(trial.cost().statements())),
                        "");
    }

    private static Trial median(List<Trial> trials) {
        return Rounds.median(trials, Trial::runs);
    }

    private Trial busy(BenchDatabase database, Path directory, List<String> jvmOptions) throws Exception {
        Path own = Files.createTempDirectory(directory, "trial");
        try (OrthContender orth = OrthContender.start(adminJar, database.empty(), own, jvmOptions)) {
            orth.fireWithoutRest(BUSY_JOBS, Instant.now());
            Patience.until(Instant.now().plus(WARM_UP));
            BenchDatabase.Counters before = database.counters();
            Instant from = Instant.now();
            Patience.until(from.plus(WINDOW));
            BenchDatabase.Counters cost = database.counters().since(before);
            Trial trial = new Trial(orth.ended(from, from.plus(WINDOW)), cost);
            orth.stop();
            System.err.printf("%s: %.0f runs a second%n", jvmOptions.isEmpty() ? "with" : "without", trial.perSecond());
            return trial;
        } finally {
            Scratch.delete(own);
        }
    }

    private void lag(Findings findings, BenchDatabase database, Path directory) throws Exception {
        Path own = Files.createTempDirectory(directory, "trial");
        try (OrthContender orth = OrthContender.start(adminJar, database.empty(), own, List.of())) {
            orth.fire(FULL_RATE, Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(5));
            Instant from = Instant.now().plus(WARM_UP);
            long[] lags = new long[(int) (WINDOW.toMillis() / SAMPLE_EVERY.toMillis())];
            for (int i = 0; i < lags.length; i++) {
                Patience.until(from.plus(SAMPLE_EVERY.multipliedBy(i)));
                lags[i] = orth.number(LAG_MILLIS);
            }
            long ended = orth.ended(from, from.plus(WINDOW));
            orth.stop();
            Arrays.sort(lags);
            long p99 = lags[lags.length * 99 / 100];
            findings.note("lag.runsPerSecond", ended / WINDOW.toSeconds(), "")
                    .note("lag.medianMillis", lags[lags.length / 2], "ms")
                    .check("lag.p99Millis", p99, "ms", "below " + LONGEST_LAG_MILLIS, p99 < LONGEST_LAG_MILLIS);
        } finally {
            Scratch.delete(own);
        }
    }

    /** A directory for the class path of an admin that journals nothing. */
    private static Path withoutJournal(Path directory) throws IOException {
        copy("/without-journal/" + IMPORTS, directory.resolve(IMPORTS));
        String name = WithoutJournal.class.getName().replace('.', '/');
        for (String part : List.of("", "$1", "$Nothing")) {
            copy("/%s%s.class".formatted(name, part), directory.resolve(name + part + ".class"));
        }
        return directory;
    }

    private static void copy(String resource, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        try (InputStream in = Journals.class.getResourceAsStream(resource)) {
            Files.copy(in, to);
        }
    }

    private static String rounded(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
