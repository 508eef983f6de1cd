package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.JsonObject;
import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Messages while processes are killed: each finishes exactly once, completed or dead-lettered, and none is lost. */
@Tag("must-queues")
class QueueE2eTest {

    private static final String PATH = "/api/queues/" + WitnessExecutor.QUEUE;
    private static final int MESSAGES = Installation.full() ? 40_000 : 4_000;
    private static final int AT_ONCE = MESSAGES / 40;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    void finishesEachMessageOnceWhileProcessesAreKilled() throws Exception {
        String java = Installation.javas().get(Installation.javas().size() - 1);
        try (KillableDatabase postgres = KillableDatabase.in(directory.resolve("postgres"));
                Cluster cluster = new Cluster(postgres.database(), directory, List.of());
                Pusher pusher = new Pusher()) {
            AdminProgram first = cluster.addAdmin(java).awaitReady();
            AdminProgram second = cluster.addAdmin(java).awaitReady();
            cluster.startExecutor(second.api(), java);
            setUp(second.api());
            pusher.to(first.api(), second.api());
            try (Program victim = cluster.addExecutor(second.api(), java, "victim")) {
                pusher.allow(10);
                awaitEnded(cluster, MESSAGES / 20);
                awaitInFlight(cluster, "executor_id = (select max(id) from orth_executor)");
                victim.kill();
                pusher.allow(10);
                awaitInFlight(cluster, "true");
                AdminProgram successor = cluster.killAndReplace(first, java);
                pusher.to(successor.api(), second.api());
                pusher.allow(10);
                successor.awaitReady();
                awaitInFlight(cluster, "true");
                cluster.crashDatabase();
                awaitAnswer(successor.api());
                pusher.allow(5);
                awaitInFlight(cluster, "true");
                postgres.kill();
                postgres.startAgain();
                awaitAnswer(successor.api());
                try (Program another = cluster.addExecutor(second.api(), java, "another")) {
                    pusher.allow(5);
                    pusher.await();
                    awaitEnded(cluster, MESSAGES);
                    assertThat(another.isAlive()).isTrue();
                }
            }

            List<Long> done = ids(cluster, "select id from orth_message_history where status = 'DONE'");
            List<Long> dead = ids(cluster, "select id from orth_dead_letter");
            assertThat(cluster.count("select count(*) from orth_message")).isZero();
            assertThat(done).doesNotHaveDuplicates().hasSize(MESSAGES - MESSAGES / 20);
            assertThat(dead).doesNotHaveDuplicates().hasSize(MESSAGES / 20).doesNotContainAnyElementsOf(done);
            assertThat(cluster.witnessedMessages("executor", "victim", "another"))
                    .containsAll(done)
                    .containsAll(dead);
        }
    }

    /** Pushes as many batches as allowed, each once even if an admin dies before it responds. */
    private static final class Pusher implements AutoCloseable {

        private static final int PARTS = 40;

        private final Semaphore allowed = new Semaphore(0);
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Future<?> pushing = thread.submit(this::pushAll);
        private volatile List<Api> admins = List.of();

        void to(Api... some) {
            admins = List.of(some);
        }

        void allow(int parts) {
            allowed.release(parts);
        }

        void await() throws Exception {
            pushing.get(5, TimeUnit.MINUTES);
        }

        private void pushAll() {
            for (int part = 0; part < PARTS; part++) {
                allowed.acquireUninterruptibly();
                for (int tries = 0; !push(part, tries); tries++) {
                    if (Thread.currentThread().isInterrupted()) {
                        return;
                    }
                }
            }
        }

        /** Some of them fail each time. */
        private boolean push(int part, int tries) {
            List<Map<String, Object>> messages = new ArrayList<>();
            for (int n = 0; n < AT_ONCE; n++) {
                messages.add(n % 20 == 0 ? Map.of("payload", "fail") : Map.of("payload", "work", "maxAttempts", 10));
            }
            Api admin = admins.get(tries % admins.size());
            return admin.postOnce(PATH + "/messages/bulk", "part-" + part, Map.of("messages", messages));
        }

        @Override
        public void close() {
            thread.shutdownNow();
            allowed.release(PARTS);
        }
    }

    @Test
    void requeuesMessagesOfKilledWorkerWithinHalfAMinute() {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(db, directory)) {
            Api api = cluster.addAdmin(java).awaitReady().api();
            cluster.startExecutor(api, java);
            setUp(api);
            for (int i = 0; i < 10; i++) {
                api.post(PATH + "/messages", Map.of("payload", "hold", "maxAttempts", 2));
            }
            awaitCount(cluster, "select count(*) from orth_message where status = 'RUNNING'", 10);

            cluster.executor().kill();

            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> cluster.count("select count(*) from orth_message where status = 'WAITING'") == 10);
            assertThat(cluster.count("select count(*) from orth_message where attempt = 1"))
                    .isEqualTo(10);
        }
    }

    @Test
    void rejectsResultOfZombie() throws Exception {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(db, directory)) {
            Api api = cluster.addAdmin(java).awaitReady().api();
            cluster.startExecutor(api, java);
            setUp(api);
            String id = api.post(PATH + "/messages", Map.of("payload", "hold each time"))
                    .requiredText("id");
            awaitStatus(api, id, "RUNNING");
            await().until(() -> !cluster.witnessedMessages("executor").isEmpty());
            String zombie = api.get(PATH + "/messages/" + id).requiredText("executorId");

            cluster.executor().signal("STOP");
            try (Program successor = cluster.addExecutor(api, java, "successor")) {
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> !cluster.witnessedMessages("successor").isEmpty());
                String has = api.get(PATH + "/messages/" + id).requiredText("executorId");
                assertThat(has).isNotEqualTo(zombie);
                assertThat(refused(api)).isZero();

                cluster.releaseHeld();
                cluster.executor().signal("CONT");
                await().atMost(Duration.ofMinutes(1)).until(() -> refused(api) > 0);

                JsonObject running = api.get(PATH + "/messages/" + id);
                assertThat(running.requiredText("status")).isEqualTo("RUNNING");
                assertThat(running.requiredText("executorId")).isEqualTo(has);
                assertThat(running.number("attempt", 0)).isEqualTo(2);

                cluster.releaseHeld("successor");
                awaitStatus(api, id, "DONE");
                assertThat(api.get(PATH + "/messages/" + id).requiredText("executorId"))
                        .isEqualTo(has);
                assertThat(cluster.witnessedMessages("executor", "successor")).hasSize(2);
                assertThat(cluster.count("select count(*) from orth_message_history"))
                        .isEqualTo(1);
                assertThat(successor.isAlive()).isTrue();
            }
        }
    }

    /** One runs when its executor is frozen, the other is in the answer to a claim that it reads when it wakes. */
    @Test
    @Tag("must-first")
    void interruptsZombieAndStartsNoneOfItsMessages() throws Exception {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(db, directory)) {
            Api api = cluster.addAdmin(java).awaitReady().api();
            cluster.startExecutor(api, java);
            setUp(api);
            String running = push(api);
            await().until(() -> !cluster.witnessedMessages("executor").isEmpty());

            cluster.executor().signal("STOP");
            String waiting = push(api);
            awaitStatus(api, waiting, "RUNNING");
            assertThat(executorOf(api, waiting)).isEqualTo(executorOf(api, running));
            try (Program successor = cluster.addExecutor(api, java, "successor")) {
                Long[] both = {Long.valueOf(running), Long.valueOf(waiting)};
                await().atMost(Duration.ofMinutes(2))
                        .untilAsserted(() -> assertThat(cluster.witnessedMessages("successor"))
                                .containsExactlyInAnyOrder(both));

                cluster.executor().signal("CONT");

                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThat(cluster.interruptedMessages("executor"))
                                .containsExactly(Long.valueOf(running)));
                // Acknowledged by its next heartbeat: nothing of it is left to be started.
                awaitCount(cluster, "select count(*) from orth_revocation", 0);
                cluster.releaseHeld("successor");
                awaitStatus(api, running, "DONE");
                awaitStatus(api, waiting, "DONE");
                assertThat(cluster.witnessedMessages("executor")).containsExactly(Long.valueOf(running));
                assertThat(cluster.witnessedMessages("successor")).containsExactlyInAnyOrder(both);
                assertThat(successor.isAlive()).isTrue();
            }
        }
    }

    private static String push(Api api) {
        return api.post(PATH + "/messages", Map.of("payload", "hold each time")).requiredText("id");
    }

    private static String executorOf(Api api, String message) {
        return api.get(PATH + "/messages/" + message).requiredText("executorId");
    }

    /** How many results of the queue did not count. */
    private static long refused(Api api) {
        try (Stream<String> lines = api.lines("/actuator/prometheus")) {
            return lines.filter(line -> line.startsWith("orth_queue_results_refused_total")
                            && line.contains("\"" + WitnessExecutor.QUEUE + "\""))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    private static void awaitInFlight(Cluster cluster, String whose) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .until(() ->
                        cluster.count("select count(*) from orth_message where status = 'RUNNING' and " + whose) > 0);
    }

    private static void awaitCount(Cluster cluster, String sql, int count) {
        await().atMost(Duration.ofMinutes(1)).until(() -> cluster.count(sql) == count);
    }

    private static void awaitAnswer(Api api) {
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptionsMatching(failure -> true)
                .until(() -> api.get(PATH).requiredText("name").equals(WitnessExecutor.QUEUE));
    }

    private static void setUp(Api api) {
        api.put(PATH, Map.of("maxAttempts", 3, "backoff", Map.of("initialDelay", "PT0.1S", "maxDelay", "PT1S")));
    }

    private static void awaitEnded(Cluster cluster, int messages) {
        await().atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> cluster.count("""
                        select (select count(*) from orth_message_history) + (select count(*) from orth_dead_letter)
                        """) >= messages);
    }

    private static void awaitStatus(Api api, String id, String status) {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> api.get(PATH + "/messages/" + id).text("status").equals(status));
    }

    private static List<Long> ids(Cluster cluster, String sql) {
        return cluster.sql().sql(sql).query(Long.class).list();
    }
}
