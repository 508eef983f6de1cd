package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import io.orth.protocol.JsonObject;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines of three stages through admins and executors as processes: what is killed or asleep loses nothing and doubles nothing. */
@Tag("must-pipelines")
@Timeout(3_600)
class PipelineE2eTest {

    private static final int KILLS = Installation.full() ? 20 : 4;

    /** A run of about 3,000 tasks, or of about 100,000. */
    private static final Size LARGE = Installation.full() ? new Size(10, 100) : new Size(4, 27);

    private static final Size SMALL = new Size(4, 8);
    private static final Duration PATIENCE = Installation.full() ? Duration.ofMinutes(30) : Duration.ofMinutes(3);
    private static final String PATH = "/api/pipelines/" + WitnessExecutor.PIPELINE;

    /** The number of books a run starts with, and the number of parts per item in the next stage. */
    private record Size(int books, int parts) {

        int tasks() {
            return books + books * parts + books * parts * parts;
        }

        Map<String, Object> submission(long millis) {
            List<Map<String, Object>> targets = IntStream.range(0, books)
                    .<Map<String, Object>>mapToObj(i -> Map.of("targetType", "book", "targetId", "book" + i))
                    .toList();
            return Map.of("scope", Map.of("targets", targets), "options", Map.of("parts", parts, "millis", millis));
        }
    }

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    private final String java = Installation.javas().get(Installation.javas().size() - 1);

    @Test
    void completesEachTaskOnceWhileProcessesAreKilled() {
        long seed = System.nanoTime();
        try (EmbeddedPostgres postgres =
                        EmbeddedPostgres.start(EmbeddedPostgresOptions.in(directory.resolve("postgres")));
                Cluster cluster = new Cluster(
                        new Database(postgres.jdbcUrl(), postgres.user(), postgres.password()), directory, List.of());
                Targets targets = new Targets(cluster, new Random(seed))) {
            Api api = targets.start();
            define(api);
            JsonObject submitted = api.post(PATH + "/runs", LARGE.submission(20));

            for (int kill = 1; kill <= KILLS; kill++) {
                int some = LARGE.tasks() * kill / (KILLS + 1);
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(100))
                        .ignoreExceptions()
                        .until(() -> completed(cluster) >= some);
                assertThat(completed(cluster)).isLessThan(LARGE.tasks());
                targets.killOne();
            }

            String root = submitted.requiredText("rootJobId");
            cluster.awaitReady();
            assertCompleted(targets.api(), root, LARGE, "seed " + seed);
            assertThat(cluster.count("select count(*) from orth_pipeline_task")).isEqualTo(LARGE.tasks());
            assertThat(cluster.count("select count(*) from orth_content_log where status = 'ready'"))
                    .isEqualTo(LARGE.tasks());
            assertThat(cluster.count("select count(distinct content_ref) from orth_content_log"))
                    .isEqualTo(LARGE.tasks());
            assertNoAttemptWasSeenTwice(targets.executorNames());
            assertThat(witnessed(targets.executorNames()))
                    .allMatch(line -> line.endsWith(" %s %s".formatted(root, submitted.text("traceId"))));
        }
    }

    @Test
    void adminSuspendedPastItsLeaseLosesAndRepeatsNothing() throws Exception {
        try (Cluster cluster = new Cluster(db, directory)) {
            AdminProgram sleeper = cluster.addAdmin(java).awaitReady();
            AdminProgram other = cluster.addAdmin(java).awaitReady();
            Api api = other.api();
            cluster.startExecutor(api, java);
            define(api);
            List<String> roots = new ArrayList<>();

            roots.add(submit(api));
            roots.add(submit(sleeper.api()));
            await().atMost(PATIENCE).until(() -> completed(cluster) > 10);
            sleeper.program().signal("STOP");
            while (isInTime(cluster, sleeper)) {
                roots.add(submit(api));
                awaitOver(api, roots.get(roots.size() - 1));
            }
            roots.add(submit(api));
            sleeper.program().signal("CONT");
            roots.add(submit(api));

            for (String root : roots) {
                assertCompleted(api, root, SMALL, "run " + root);
            }
            int tasks = SMALL.tasks() * roots.size();
            assertThat(cluster.count("select count(*) from orth_content_log")).isEqualTo(tasks);
            assertThat(cluster.count("select count(*) from orth_outbox where sent_at is null"))
                    .isZero();
            assertNoAttemptWasSeenTwice(List.of("executor"));
        }
    }

    /**
     * The processes to kill: two admins, two executors, the database. All but the last are restarted immediately, as by
     * a supervisor.
     */
    private final class Targets implements AutoCloseable {

        private final Cluster cluster;
        private final Random random;
        private final List<AdminProgram> admins = new ArrayList<>();
        private final List<Program> executors = new ArrayList<>();
        private final List<String> names = new ArrayList<>(List.of("executor"));

        Targets(Cluster cluster, Random random) {
            this.cluster = cluster;
            this.random = random;
        }

        Api start() {
            admins.add(cluster.addAdmin(java).awaitReady());
            admins.add(cluster.addAdmin(java).awaitReady());
            cluster.startExecutor(api(), java);
            executors.add(cluster.executor());
            executors.add(newExecutor());
            return api();
        }

        Api api() {
            return admins.get(0).api();
        }

        List<String> executorNames() {
            return names;
        }

        void killOne() {
            int victim = random.nextInt(5);
            switch (victim) {
                case 0, 1 -> admins.set(victim, cluster.killAndReplace(admins.get(victim), java));
                case 2, 3 -> {
                    executors.get(victim - 2).kill();
                    executors.set(victim - 2, newExecutor());
                }
                default -> {
                    admins.get(0).awaitReady();
                    cluster.crashDatabase();
                }
            }
        }

        private Program newExecutor() {
            String name = "executor-" + names.size();
            names.add(name);
            return cluster.launchExecutor(java, name);
        }

        @Override
        public void close() {
            executors.forEach(Program::close);
        }
    }

    private static void define(Api api) {
        api.put(
                PATH,
                Map.of(
                        "stages",
                        Stream.of("books", "chapters", "pages")
                                .map(name -> Map.of(
                                        "name",
                                        name,
                                        "handler",
                                        name,
                                        "maxAttempts",
                                        10,
                                        "backoff",
                                        Map.of("initialDelay", "PT0.2S", "multiplier", 1, "maxDelay", "PT1S")))
                                .toList()));
    }

    private static String submit(Api api) {
        return api.post(PATH + "/runs", SMALL.submission(0)).requiredText("rootJobId");
    }

    private static int completed(Cluster cluster) {
        return cluster.count("select count(*) from orth_pipeline_task where status = 'COMPLETED'");
    }

    private static boolean isInTime(Cluster cluster, AdminProgram admin) {
        return cluster.count("select count(*) from orth_node where expires_at > now() and pid = "
                        + admin.program().pid())
                == 1;
    }

    private static JsonObject awaitOver(Api api, String root) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> List.of("COMPLETED", "FAILED")
                        .contains(api.get("/api/pipeline-runs/" + root).text("status")));
        return api.get("/api/pipeline-runs/" + root);
    }

    private static void assertCompleted(Api api, String root, Size size, String what) {
        JsonObject run = awaitOver(api, root);
        assertThat(run.text("status")).as(what).isEqualTo("COMPLETED");
        assertThat(run.objects("stages"))
                .as(what)
                .extracting(stage ->
                        "%s %s/%s".formatted(stage.text("name"), stage.text("completed"), stage.text("expected")))
                .containsExactly(
                        "books %1$d/%1$d".formatted(size.books()),
                        "chapters %1$d/%1$d".formatted(size.books() * size.parts()),
                        "pages %1$d/%1$d".formatted(size.books() * size.parts() * size.parts()));
    }

    private void assertNoAttemptWasSeenTwice(List<String> executors) {
        assertThat(witnessed(executors))
                .extracting(line -> line.substring(0, line.indexOf(' ', line.indexOf(' ') + 1)))
                .doesNotHaveDuplicates();
    }

    /** One line per started handler of these executors: task, attempt, run, trace. */
    private List<String> witnessed(List<String> executors) {
        List<String> lines = new ArrayList<>();
        for (String executor : executors) {
            Path file = directory.resolve(executor).resolve(WitnessExecutor.TASKS);
            try {
                lines.addAll(Files.exists(file) ? Files.readAllLines(file) : List.of());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return lines;
    }
}
