package io.orth.bench.schedule;

import io.orth.bench.Findings;
import io.orth.bench.Scratch;
import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Every contender at every load, three times; the medians are what is told. */
public final class Schedules {

    private static final int REPEATS = Integer.getInteger("orth.bench.repeats", 3);
    private static final Duration WARM_UP = Duration.ofSeconds(45);
    private static final Duration WINDOW = Duration.ofSeconds(20);

    /** What one contender did with one load. */
    private record Trial(
            Sightings.Verdict verdict, BenchDatabase.Counters cost, long recorded, List<Long> p99MillisOfAll) {

        double perRun(long amount) {
            return perRun((double) amount);
        }

        double perRun(double amount) {
            return amount / Math.max(1, verdict.expected() - verdict.lost());
        }
    }

    /** Makes a contender in an empty database and directory. */
    @FunctionalInterface
    private interface Maker {
        Contender make(BenchDatabase.Place database, Path directory) throws Exception;
    }

    private final Path adminJar;

    public Schedules(Path adminJar) {
        this.adminJar = adminJar;
    }

    public Findings measure() throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        Findings findings = new Findings();
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"))) {
            database.describe(findings);
            findings.setting("warmUpSeconds", WARM_UP.toSeconds())
                    .setting("windowSeconds", WINDOW.toSeconds())
                    .setting("repeats", REPEATS)
                    .setting("peers.threads", PeerOptions.THREADS);
            Maker orth = (place, at) -> OrthContender.start(adminJar, place, at);
            lone(findings, median(database, directory, orth, 1));
            thousand(findings, median(database, directory, orth, 1_000));
            goal(findings, median(database, directory, orth, 5_000));
            for (int jobs : List.of(200, 400)) {
                peer(findings, "quartz", median(database, directory, peer(QuartzProgram.class), jobs), jobs);
            }
            for (int jobs : List.of(1_000, 2_000)) {
                peer(findings, "dbScheduler", median(database, directory, peer(DbSchedulerProgram.class), jobs), jobs);
            }
            idle(findings, database, directory);
        } finally {
            Scratch.delete(directory);
        }
        return findings;
    }

    private static Maker peer(Class<?> main) {
        return (place, at) -> new PeerContender(main, place, at);
    }

    private static void lone(Findings findings, Trial trial) {
        long p99 = trial.verdict().p99Millis();
        findings.check("orth.1.p99Millis", p99, "ms", "at most 30", p99 >= 0 && p99 <= 30);
        complete(findings, "orth.1", trial);
    }

    private static void thousand(Findings findings, Trial trial) {
        long p99 = trial.verdict().p99Millis();
        findings.check("orth.1000.p99Millis", p99, "ms", "at most 200", p99 >= 0 && p99 <= 200);
        complete(findings, "orth.1000", trial);
        cost(findings, "orth.1000", trial);
    }

    private static void goal(Findings findings, Trial trial) {
        long p99 = trial.verdict().p99Millis();
        findings.check("orth.5000.p99Millis", p99, "ms", "below 1000", p99 >= 0 && p99 < 1_000);
        complete(findings, "orth.5000", trial);
        cost(findings, "orth.5000", trial);
        double commits = trial.perRun(trial.cost().commits());
        findings.check("orth.5000.commitsPerRun", rounded(commits), "", "at most 0.05", commits <= 0.05);
    }

    private static void complete(Findings findings, String name, Trial trial) {
        Sightings.Verdict verdict = trial.verdict();
        findings.note(name + ".p99MillisOfAll", trial.p99MillisOfAll(), "ms")
                .note(name + ".medianMillis", verdict.medianMillis(), "ms")
                .note(name + ".worstMillis", verdict.worstMillis(), "ms")
                .check(name + ".lost", verdict.lost(), "runs", "none of " + verdict.expected(), verdict.lost() == 0)
                .check(name + ".doubled", verdict.doubled(), "runs", "none", verdict.doubled() == 0)
                .check(
                        name + ".recorded",
                        trial.recorded(),
                        "runs",
                        "all of " + verdict.expected(),
                        trial.recorded() == verdict.expected());
    }

    private static void peer(Findings findings, String name, Trial trial, int jobs) {
        Sightings.Verdict verdict = trial.verdict();
        String load = "%s.%d".formatted(name, jobs);
        findings.note(load + ".held", verdict.held(), "")
                .note(load + ".p99Millis", verdict.p99Millis(), "ms")
                .note(load + ".p99MillisOfAll", trial.p99MillisOfAll(), "ms")
                .note(load + ".lost", verdict.lost(), "runs");
        cost(findings, load, trial);
    }

    private static void cost(Findings findings, String name, Trial trial) {
        findings.note(
                        name + ".statementsPerRun",
                        rounded(trial.perRun(trial.cost().statements())),
                        "")
                .note(
                        name + ".walBytesPerRun",
                        Math.round(trial.perRun(trial.cost().walBytes())),
                        "B")
                .note(name + ".commitsPerRun", rounded(trial.perRun(trial.cost().commits())), "");
    }

    /** The same hundred jobs beside more and more that are not due. */
    private void idle(Findings findings, BenchDatabase database, Path directory) throws Exception {
        for (int idle : List.of(1_000, 10_000, 100_000)) {
            Maker orth = (place, at) -> {
                OrthContender contender = OrthContender.start(adminJar, place, at);
                contender.addIdleJobs(idle);
                return contender;
            };
            Trial trial = median(database, directory, orth, 100);
            findings.note(
                    "orth.idle%d.databaseMillisPerRun".formatted(idle),
                    rounded(trial.perRun(trial.cost().statementMillis())),
                    "ms");
        }
    }

    private static Trial median(BenchDatabase database, Path directory, Maker maker, int jobs) throws Exception {
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
            Path own = Files.createTempDirectory(directory, "trial");
            trials.add(trial(database, own, maker, jobs));
            Scratch.delete(own);
        }
        List<Long> all =
                trials.stream().map(trial -> trial.verdict().p99Millis()).toList();
        trials.sort(Comparator.comparing(trial -> trial.verdict().p99Millis()));
        Trial median = trials.get(trials.size() / 2);
        return new Trial(median.verdict(), median.cost(), median.recorded(), all);
    }

    private static Trial trial(BenchDatabase database, Path directory, Maker maker, int jobs) throws Exception {
        try (Contender contender = maker.make(database.empty(), directory)) {
            Instant first = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(5);
            contender.fire(jobs, first);
            Instant from = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(WARM_UP);
            Instant to = from.plus(WINDOW);
            Patience.until(from);
            BenchDatabase.Counters before = database.counters();
            Patience.until(to);
            BenchDatabase.Counters cost = database.counters().since(before);
            Sightings.Verdict verdict = contender.stop().judge(jobs, from.toEpochMilli(), to.toEpochMilli());
            long recorded = contender instanceof OrthContender orth ? orth.recorded(from, to) : 0;
            System.err.printf(
                    "%s with %d jobs: %s, commits %d%n",
                    contender.getClass().getSimpleName(), jobs, verdict, cost.commits());
            return new Trial(verdict, cost, recorded, List.of());
        }
    }

    private static String rounded(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
