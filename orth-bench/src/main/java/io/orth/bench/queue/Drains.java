package io.orth.bench.queue;

import io.orth.bench.Benchmark;
import io.orth.bench.Findings;
import io.orth.bench.Rounds;
import io.orth.bench.Scratch;
import io.orth.bench.Sizes;
import io.orth.bench.installation.BenchDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How fast a full queue is emptied by a worker that does nothing, in another process over HTTP, with all that happened kept; beside
 * libraries that do so inside the application: db-scheduler, which keeps nothing, and JobRunr, which keeps it for a while.
 */
public final class Drains implements Benchmark {

    private static final int REPEATS = Sizes.of("repeats", 3, 1);
    private static final int MESSAGES = Sizes.of("messages", 100_000, 50_000);

    /** Whether to measure, instead of the others, what it costs Orth to do without sessions and prepared statements. */
    private static final boolean POOLER = Boolean.getBoolean("orth.bench.pooler");

    private static final List<String> BEHIND_POOLER = List.of("-Dorth.database.pooler=true");

    /**
     * How long Orth works before it is measured, first on messages that come one by one: what Java compiles is what is used often,
     * and a request that carries hundreds of messages is not. An admin that has been up for an hour has long had as many.
     */
    private static final Duration WARM_UP = Sizes.seconds("warmUpSeconds", 120, 40);

    private static final Duration WARM_UP_ONE_BY_ONE = WARM_UP.dividedBy(2);
    private static final int ONE_BY_ONE = 2_000;

    /** How often Orth then empties a queue: once takes so little time that whatever else the machine does in it counts for much. */
    private static final int ROUNDS = 5;

    /** How often the others do, who have a round of their own for each message. That takes them as long. */
    private static final int WARM_UPS = 10;

    /** It is so much slower that a part of them takes as long. */
    private static final int JOB_RUNR_MESSAGES = Math.max(1, MESSAGES / 5);

    /** Enough for requests as large as they get; more made nothing faster. */
    private static final int CONCURRENCY = 2_000;

    private static final double GOAL = 5;

    /** Until when the relay has caught up with a drained queue. */
    private static final double RELAYED_AFTER_SECONDS = 10;

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path adminJar;

    public Drains(Path adminJar) {
        this.adminJar = adminJar;
    }

    /**
     * One contender's result.
     *
     * @param perSecond until the last message was done and, for Orth, its transitions relayed
     * @param drainedPerSecond until the last message was done
     * @param relayedAfterSeconds how long after that the last transition was relayed; of a library nothing is
     * @param cost from the first message that is pushed to the last that is done, for a library also of its warm-up
     */
    record Trial(
            int messages,
            double perSecond,
            double drainedPerSecond,
            double relayedAfterSeconds,
            BenchDatabase.Counters cost) {}

    @Override
    public void describe(Findings findings) {
        findings.setting("repeats", REPEATS)
                .setting("messages", MESSAGES)
                .setting("payloadBytes", "message 99999".length())
                .setting("orth.concurrency", CONCURRENCY)
                .setting("orth.warmUpSeconds", WARM_UP.toSeconds())
                .setting("orth.rounds", ROUNDS);
        if (!POOLER && !Sizes.SHORT) {
            findings.setting("peers.threads", PeerDatabase.THREADS)
                    .setting("peers.connections", PeerDatabase.CONNECTIONS)
                    .setting("peers.warmUpMessages", WARM_UPS * MESSAGES)
                    .setting("jobRunr.messages", JOB_RUNR_MESSAGES);
        }
    }

    @Override
    public void measure(Findings findings) throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"), findings)) {
            if (POOLER) {
                pooler(findings, database, directory);
            } else if (Sizes.SHORT) {
                report(findings, "orth", repeated(database, directory));
            } else {
                besideLibraries(findings, database, directory);
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    private List<Trial> repeated(BenchDatabase database, Path directory) throws Exception {
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
            trials.addAll(orth(database, directory, List.of()));
        }
        return trials;
    }

    private void besideLibraries(Findings findings, BenchDatabase database, Path directory) throws Exception {
        List<Trial> orth = new ArrayList<>();
        List<Trial> dbScheduler = new ArrayList<>();
        List<Trial> jobRunr = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
            orth.addAll(orth(database, directory, List.of()));
            dbScheduler.add(peer("db-scheduler", DbSchedulerDrain.class, MESSAGES, database, directory));
            jobRunr.add(peer("JobRunr", JobRunrDrain.class, JOB_RUNR_MESSAGES, database, directory));
        }
        report(findings, "orth", orth);
        tell(findings, "dbScheduler", dbScheduler);
        tell(findings, "jobRunr", jobRunr);
        double toDbScheduler = median(orth).perSecond() / median(dbScheduler).perSecond();
        double toJobRunr = median(orth).perSecond() / median(jobRunr).perSecond();
        findings.check("ratioToDbScheduler", rounded(toDbScheduler), "", "at least " + GOAL, toDbScheduler >= GOAL)
                .note("ratioToJobRunr", rounded(toJobRunr), "");
    }

    /** Against the same server, so that the pooler's own way there and back is not in it. */
    private void pooler(Findings findings, BenchDatabase database, Path directory) throws Exception {
        List<Trial> direct = new ArrayList<>();
        List<Trial> pooled = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
            direct.addAll(orth(database, directory, List.of()));
            pooled.addAll(orth(database, directory, BEHIND_POOLER));
        }
        report(findings, "orth", direct);
        report(findings, "orthBehindPooler", pooled);
        double share = median(pooled).perSecond() / median(direct).perSecond();
        findings.note("ratioBehindPooler", rounded(share), "");
    }

    /** Each round is a trial. */
    private List<Trial> orth(BenchDatabase database, Path directory, List<String> jvmOptions) throws Exception {
        Path own = Files.createTempDirectory(directory, "trial");
        try (OrthQueues orth = OrthQueues.start(adminJar, database.empty(), own, CONCURRENCY, null, jvmOptions)) {
            warmUp(orth);
            List<Trial> rounds = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                rounds.add(round(orth, database));
            }
            return rounds;
        } finally {
            Scratch.delete(own);
        }
    }

    private static void warmUp(OrthQueues orth) throws Exception {
        Instant begin = Instant.now();
        while (Instant.now().isBefore(begin.plus(WARM_UP_ONE_BY_ONE))) {
            orth.pushOneByOne(ONE_BY_ONE);
        }
        while (Instant.now().isBefore(begin.plus(WARM_UP))) {
            orth.push(MESSAGES);
            orth.awaitDrained(PATIENCE);
        }
    }

    private static Trial round(OrthQueues orth, BenchDatabase database) throws Exception {
        orth.pause();
        BenchDatabase.Counters before = database.counters();
        orth.push(MESSAGES);
        orth.awaitRelayed(PATIENCE);
        orth.resume();
        orth.awaitDrained(PATIENCE);
        orth.awaitRelayed(PATIENCE);
        Trial trial = new Trial(
                MESSAGES,
                orth.relayedPerSecond(MESSAGES),
                orth.perSecond(MESSAGES),
                orth.relayedAfterSeconds(MESSAGES),
                database.counters().since(before));
        System.err.printf(
                "orth: %.0f messages a second, %.0f until relayed, %.2f s later%n",
                trial.drainedPerSecond(), trial.perSecond(), trial.relayedAfterSeconds());
        return trial;
    }

    private static Trial peer(String name, Class<?> program, int messages, BenchDatabase database, Path directory)
            throws Exception {
        Path own = Files.createTempDirectory(directory, "trial");
        int warmUp = WARM_UPS * messages;
        BenchDatabase.Counters before = database.counters();
        try (DrainPeer peer = DrainPeer.start(program, database.empty(), own, warmUp, messages)) {
            double perSecond = peer.perSecond(PATIENCE);
            Trial trial = new Trial(
                    warmUp + messages,
                    perSecond,
                    perSecond,
                    0,
                    database.counters().since(before));
            System.err.printf("%s: %.0f a second%n", name, trial.perSecond());
            return trial;
        } finally {
            Scratch.delete(own);
        }
    }

    private static Trial median(List<Trial> trials) {
        return Rounds.median(trials, Trial::perSecond);
    }

    /** Of Orth, which relays what it did. */
    static void report(Findings findings, String name, List<Trial> trials) {
        tell(findings, name, trials);
        double latest =
                trials.stream().mapToDouble(Trial::relayedAfterSeconds).max().orElseThrow();
        findings.note(name + ".drainedPerSecond", Math.round(median(trials).drainedPerSecond()), "")
                .rounds(
                        name + ".drainedPerSecond",
                        trials.stream()
                                .map(each -> Math.round(each.drainedPerSecond()))
                                .toList(),
                        "")
                .check(
                        name + ".relayedAfterSeconds",
                        rounded(latest),
                        "s",
                        "at most 10 in every round",
                        latest <= RELAYED_AFTER_SECONDS)
                .rounds(name + ".relayedAfterSeconds", rounded(trials, Trial::relayedAfterSeconds), "s");
    }

    private static void tell(Findings findings, String name, List<Trial> trials) {
        Trial trial = median(trials);
        double messages = trial.messages();
        List<Long> all =
                trials.stream().map(each -> Math.round(each.perSecond())).toList();
        findings.note(name + ".perSecond", Math.round(trial.perSecond()), "")
                .rounds(name + ".perSecond", all, "")
                .note(name + ".walBytes", Math.round(trial.cost().walBytes() / messages), "B")
                .note(
                        name + ".commits",
                        String.format(Locale.ROOT, "%.4f", trial.cost().commits() / messages),
                        "");
    }

    static <T> List<String> rounded(List<T> rounds, ToDoubleFunction<T> number) {
        return rounds.stream().map(each -> rounded(number.applyAsDouble(each))).toList();
    }

    static String rounded(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
