package io.orth.bench.queue;

import io.orth.bench.Benchmark;
import io.orth.bench.Findings;
import io.orth.bench.Rounds;
import io.orth.bench.Scratch;
import io.orth.bench.Sizes;
import io.orth.bench.installation.BenchAdmin;
import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How fast a pipeline does its tasks, from its submission to its end, beside what the same programs do with messages of a plain queue;
 * and how long a task waits for being sent.
 */
public final class FanOuts implements Benchmark {

    private static final int REPEATS = Sizes.of("repeats", 3, 3);
    private static final int BOOKS = Sizes.of("books", 10, 2);
    private static final int TASKS = WorkerProgram.tasksOf(BOOKS);
    private static final int WARM_UP_BOOKS = Math.max(1, BOOKS / 4);
    private static final int CONCURRENCY = 1_000;
    private static final int WARM_UP_MESSAGES = Sizes.of("warmUpMessages", 50_000, 10_000);
    private static final int PER_SECOND = 8_000;
    private static final double REQUESTS_PER_TASK = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String RUNS = "/api/pipelines/" + WorkerProgram.PIPELINE + "/runs";

    private final Path adminJar;

    public FanOuts(Path adminJar) {
        this.adminJar = adminJar;
    }

    /**
     * @param cost of the pipeline's tasks
     * @param requests that the admin answered meanwhile
     * @param send seconds from the promise of a task until it is sent: the median, and of how many in a hundred it is less
     */
    record Trial(double messages, double tasks, BenchDatabase.Counters cost, long requests, Send send) {

        double requestsPerTask() {
            return requests / (double) TASKS;
        }
    }

    record Send(double median, double p99) {}

    @Override
    public void describe(Findings findings) {
        findings.setting("repeats", REPEATS)
                .setting("books", BOOKS)
                .setting("chaptersPerBook", WorkerProgram.CHAPTERS)
                .setting("tasks", TASKS)
                .setting("queue.messages", TASKS)
                .setting("warmUpTasks", WorkerProgram.tasksOf(WARM_UP_BOOKS))
                .setting("warmUpMessages", WARM_UP_MESSAGES)
                .setting("orth.concurrency", CONCURRENCY);
    }

    @Override
    public void measure(Findings findings) throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"), findings)) {
            List<Trial> trials = new ArrayList<>();
            for (int i = 0; i < REPEATS; i++) {
                trials.add(trial(database, directory));
            }
            report(findings, trials);
        } finally {
            Scratch.delete(directory);
        }
    }

    private Trial trial(BenchDatabase database, Path directory) throws Exception {
        Path own = Files.createTempDirectory(directory, "trial");
        try (OrthQueues orth = OrthQueues.start(adminJar, database.empty(), own, CONCURRENCY, null)) {
            double messages = drain(orth);
            define(orth.admin());
            run(orth.admin(), WARM_UP_BOOKS);
            BenchDatabase.Counters before = database.counters();
            long requests = orth.admin().requests();
            String root = run(orth.admin(), BOOKS);
            requests = orth.admin().requests() - requests;
            BenchDatabase.Counters cost = database.counters().since(before);
            Trial trial =
                    new Trial(messages, perSecond(orth.admin(), root), cost, requests, sendSeconds(orth.admin(), root));
            System.err.printf(
                    "plain queue: %.0f messages a second, pipeline: %.0f tasks a second, %.3f requests a task%n",
                    trial.messages(), trial.tasks(), trial.requestsPerTask());
            return trial;
        } finally {
            Scratch.delete(own);
        }
    }

    private static double drain(OrthQueues orth) throws Exception {
        orth.push(WARM_UP_MESSAGES);
        orth.awaitDrained(PATIENCE);
        orth.pause();
        orth.push(TASKS);
        orth.resume();
        orth.awaitDrained(PATIENCE);
        return orth.perSecond(TASKS);
    }

    private static void define(BenchAdmin admin) throws Exception {
        admin.put(
                "/api/pipelines/" + WorkerProgram.PIPELINE,
                Map.of(
                        "stages",
                        WorkerProgram.STAGES.stream()
                                .map(stage -> Map.of("name", stage, "handler", stage))
                                .toList()));
    }

    /** Returns when it is over; the number of the run. */
    private static String run(BenchAdmin admin, int books) throws Exception {
        List<Map<String, Object>> targets = new ArrayList<>();
        for (int i = 0; i < books; i++) {
            targets.add(Map.of("targetType", "book", "targetId", "book-" + i));
        }
        String root =
                admin.post(RUNS, Map.of("scope", Map.of("targets", targets))).requiredText("rootJobId");
        Patience.await("end of the run", PATIENCE, () -> isOver(admin, root));
        long done = admin.number(
                "select count(*) from orth_pipeline_task where status = 'COMPLETED' and root_id = " + root);
        if (done != WorkerProgram.tasksOf(books)) {
            throw new IllegalStateException(
                    "%d of %d tasks are completed".formatted(done, WorkerProgram.tasksOf(books)));
        }
        return root;
    }

    private static boolean isOver(BenchAdmin admin, String root) throws Exception {
        return admin.number("select count(*) from orth_pipeline_run where finished_at is not null and id = " + root)
                == 1;
    }

    private static double perSecond(BenchAdmin admin, String root) throws Exception {
        long micros = admin.number("""
                select (extract(epoch from finished_at - created_at) * 1000000)::bigint from orth_pipeline_run where id = %s
                """.formatted(root));
        return TASKS * 1e6 / micros;
    }

    private static Send sendSeconds(BenchAdmin admin, String root) throws Exception {
        return new Send(sendSeconds(admin, root, 0.5), sendSeconds(admin, root, 0.99));
    }

    private static double sendSeconds(BenchAdmin admin, String root, double part) throws Exception {
        return admin.number("""
                        select (percentile_disc(%s) within group (order by extract(epoch from sent_at - created_at)) * 1000000)::bigint
                          from orth_outbox
                         where root_id = %s
                        """.formatted(part, root)) / 1e6;
    }

    static void report(Findings findings, List<Trial> trials) {
        Trial trial = Rounds.median(trials, Trial::tasks);
        double requests =
                trials.stream().mapToDouble(Trial::requestsPerTask).max().orElseThrow();
        findings.note("queue.perSecond", Math.round(trial.messages()), "")
                .rounds("queue.perSecond", whole(trials, Trial::messages), "")
                .check(
                        "pipeline.perSecond",
                        Math.round(trial.tasks()),
                        "",
                        "at least " + PER_SECOND,
                        trial.tasks() >= PER_SECOND)
                .rounds("pipeline.perSecond", whole(trials, Trial::tasks), "")
                .note("ratioToQueue", Drains.rounded(trial.tasks() / trial.messages()), "")
                .check(
                        "pipeline.requestsPerTask",
                        "%.4f".formatted(requests),
                        "",
                        "at most 2 in every round",
                        requests <= REQUESTS_PER_TASK)
                .rounds("pipeline.requests", whole(trials, Trial::requests), "")
                .note("pipeline.walBytes", Math.round(trial.cost().walBytes() / (double) TASKS), "B")
                .note("pipeline.commits", "%.4f".formatted(trial.cost().commits() / (double) TASKS), "")
                .note("outboxSend.median", Drains.rounded(trial.send().median()), "s")
                .note("outboxSend.p99", Drains.rounded(trial.send().p99()), "s")
                .rounds(
                        "outboxSend.p99",
                        Drains.rounded(trials, each -> each.send().p99()),
                        "s");
    }

    private static List<Long> whole(List<Trial> trials, ToDoubleFunction<Trial> number) {
        return trials.stream()
                .map(each -> Math.round(number.applyAsDouble(each)))
                .toList();
    }
}
