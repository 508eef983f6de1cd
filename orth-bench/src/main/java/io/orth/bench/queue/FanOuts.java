package io.orth.bench.queue;

import io.orth.bench.Findings;
import io.orth.bench.Scratch;
import io.orth.bench.installation.BenchAdmin;
import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * How fast a pipeline does its tasks, from its submission to its end, beside what the same programs do with messages of a plain queue;
 * and how long a task waits for being sent.
 */
public final class FanOuts {

    private static final int REPEATS = Integer.getInteger("orth.bench.repeats", 3);
    private static final int BOOKS = Integer.getInteger("orth.bench.books", 10);
    private static final int WARM_UP_BOOKS = Math.max(1, BOOKS / 4);
    private static final int CONCURRENCY = 1_000;
    private static final int WARM_UP_MESSAGES = 50_000;
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String RUNS = "/api/pipelines/" + WorkerProgram.PIPELINE + "/runs";

    private final Path adminJar;

    public FanOuts(Path adminJar) {
        this.adminJar = adminJar;
    }

    /**
     * @param cost of the pipeline's tasks
     * @param send seconds from the promise of a task until it is sent: the median, and of how many in a hundred it is less
     */
    private record Trial(double messages, double tasks, BenchDatabase.Counters cost, Send send) {}

    private record Send(double median, double p99) {}

    public Findings measure() throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"))) {
            List<Trial> trials = new ArrayList<>();
            for (int i = 0; i < REPEATS; i++) {
                trials.add(trial(database, directory));
            }
            trials.sort(Comparator.comparingDouble(Trial::tasks));
            return findings(trials.get(trials.size() / 2));
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
            String root = run(orth.admin(), BOOKS);
            BenchDatabase.Counters cost = database.counters().since(before);
            Trial trial = new Trial(messages, perSecond(orth.admin(), root), cost, sendSeconds(orth.admin(), root));
            System.err.printf(
                    "plain queue: %.0f messages a second, pipeline: %.0f tasks a second%n",
                    trial.messages(), trial.tasks());
            return trial;
        } finally {
            Scratch.delete(own);
        }
    }

    private static double drain(OrthQueues orth) throws Exception {
        orth.push(WARM_UP_MESSAGES);
        orth.awaitDrained(PATIENCE);
        orth.pause();
        int messages = WorkerProgram.tasksOf(BOOKS);
        orth.push(messages);
        orth.resume();
        orth.awaitDrained(PATIENCE);
        return orth.perSecond(messages);
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
        return WorkerProgram.tasksOf(BOOKS) * 1e6 / micros;
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

    private static Findings findings(Trial trial) {
        double tasks = WorkerProgram.tasksOf(BOOKS);
        return new Findings()
                .note("tasks", WorkerProgram.tasksOf(BOOKS), "")
                .note("queue.perSecond", Math.round(trial.messages()), "")
                .note("pipeline.perSecond", Math.round(trial.tasks()), "")
                .note("ratioToQueue", Drains.rounded(trial.tasks() / trial.messages()), "")
                .note("pipeline.walBytes", Math.round(trial.cost().walBytes() / tasks), "B")
                .note("pipeline.commits", "%.4f".formatted(trial.cost().commits() / tasks), "")
                .note("outboxSend.median", Drains.rounded(trial.send().median()), "s")
                .note("outboxSend.p99", Drains.rounded(trial.send().p99()), "s");
    }
}
