package io.orth.bench.schedule;

import io.orth.bench.Benchmark;
import io.orth.bench.Findings;
import io.orth.bench.Rounds;
import io.orth.bench.Scratch;
import io.orth.bench.Sizes;
import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every contender at every load, several times; the medians are what is told. */
public final class Schedules implements Benchmark {

    private static final int REPEATS = Sizes.of("repeats", 3, 1);
    private static final Duration WARM_UP = Sizes.seconds("warmUpSeconds", 45, 15);
    private static final Duration WINDOW = Sizes.seconds("windowSeconds", 20, 10);

    private static final List<Integer> IDLE_JOBS = List.of(1_000, 10_000, 100_000);

    /** What one contender did with one load. */
    record Trial(Sightings.Verdict verdict, BenchDatabase.Counters cost, long recorded) {

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

    @Override
    public void describe(Findings findings) {
        findings.setting("repeats", REPEATS)
                .setting("warmUpSeconds", WARM_UP.toSeconds())
                .setting("windowSeconds", WINDOW.toSeconds());
        if (!Sizes.SHORT) {
            findings.setting("idle.jobs", IDLE_JOBS).setting("peers.threads", PeerOptions.THREADS);
        }
    }

    @Override
    public void measure(Findings findings) throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"), findings)) {
            Maker orth = (place, at) -> OrthContender.start(adminJar, place, at);
            lone(findings, trials(database, directory, orth, 1));
            thousand(findings, trials(database, directory, orth, 1_000));
            goal(findings, trials(database, directory, orth, 5_000));
            if (!Sizes.SHORT) {
                peers(findings, database, directory);
                idle(findings, database, directory);
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    private static void peers(Findings findings, BenchDatabase database, Path directory) throws Exception {
        for (int jobs : List.of(200, 400)) {
            peer(findings, "quartz", trials(database, directory, peer(QuartzProgram.class), jobs), jobs);
        }
        for (int jobs : List.of(1_000, 2_000)) {
            peer(findings, "dbScheduler", trials(database, directory, peer(DbSchedulerProgram.class), jobs), jobs);
        }
    }

    private static Maker peer(Class<?> main) {
        return (place, at) -> new PeerContender(main, place, at);
    }

    private static void lone(Findings findings, List<Trial> trials) {
        Trial trial = median(trials);
        long p99 = trial.verdict().p99Millis();
        findings.check("orth.1.p99Millis", p99, "ms", "at most 30", p99 >= 0 && p99 <= 30);
        complete(findings, "orth.1", trials);
    }

    private static void thousand(Findings findings, List<Trial> trials) {
        Trial trial = median(trials);
        long p99 = trial.verdict().p99Millis();
        findings.check("orth.1000.p99Millis", p99, "ms", "at most 200", p99 >= 0 && p99 <= 200);
        complete(findings, "orth.1000", trials);
        cost(findings, "orth.1000", trial);
    }

    static void goal(Findings findings, List<Trial> trials) {
        Trial trial = median(trials);
        long p99 = trial.verdict().p99Millis();
        findings.check("orth.5000.p99Millis", p99, "ms", "below 1000", p99 >= 0 && p99 < 1_000);
        complete(findings, "orth.5000", trials);
        cost(findings, "orth.5000", trial);
        double commits = trial.perRun(trial.cost().commits());
        findings.check("orth.5000.commitsPerRun", rounded(commits), "", "at most 0.05", commits <= 0.05);
    }

    private static void complete(Findings findings, String name, List<Trial> trials) {
        Trial trial = median(trials);
        Sightings.Verdict verdict = trial.verdict();
        findings.rounds(name + ".p99Millis", p99Millis(trials), "ms")
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

    static void peer(Findings findings, String name, List<Trial> trials, int jobs) {
        Trial trial = median(trials);
        Sightings.Verdict verdict = trial.verdict();
        String load = "%s.%d".formatted(name, jobs);
        findings.note(load + ".held", verdict.held(), "")
                .note(load + ".p99Millis", verdict.p99Millis(), "ms")
                .rounds(load + ".p99Millis", p99Millis(trials), "ms")
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
        for (int idle : IDLE_JOBS) {
            Maker orth = (place, at) -> {
                OrthContender contender = OrthContender.start(adminJar, place, at);
                contender.addIdleJobs(idle);
                return contender;
            };
            idle(findings, idle, trials(database, directory, orth, 100));
        }
    }

    static void idle(Findings findings, int idle, List<Trial> trials) {
        String name = "orth.idle%d".formatted(idle);
        Trial trial = median(trials);
        findings.note(
                        name + ".databaseMillisPerRun",
                        rounded(trial.perRun(trial.cost().statementMillis())),
                        "ms")
                .rounds(
                        name + ".databaseMillisPerRun",
                        trials.stream()
                                .map(each -> rounded(each.perRun(each.cost().statementMillis())))
                                .toList(),
                        "ms")
                .rounds(name + ".p99Millis", p99Millis(trials), "ms");
    }

    private static Trial median(List<Trial> trials) {
        return Rounds.median(trials, trial -> trial.verdict().p99Millis());
    }

    private static List<Long> p99Millis(List<Trial> trials) {
        return trials.stream().map(trial -> trial.verdict().p99Millis()).toList();
    }

    private static List<Trial> trials(BenchDatabase database, Path directory, Maker maker, int jobs) throws Exception {
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
            Path own = Files.createTempDirectory(directory, "trial");
            trials.add(trial(database, own, maker, jobs));
            Scratch.delete(own);
        }
        return trials;
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
            return new Trial(verdict, cost, recorded);
        }
    }

    private static String rounded(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
