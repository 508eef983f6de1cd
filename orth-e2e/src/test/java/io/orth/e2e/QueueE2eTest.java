package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Messages while parts are killed: each ends exactly once, done or given up, and none is lost. */
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
    void everyMessageEndsOnceWhileWorkersAdminsAndTheDatabaseAreKilled() {
        String java = Installation.javas().get(Installation.javas().size() - 1);
        try (EmbeddedPostgres postgres =
                        EmbeddedPostgres.start(EmbeddedPostgresOptions.in(directory.resolve("postgres")));
                Cluster cluster = new Cluster(
                        new Database(postgres.jdbcUrl(), postgres.user(), postgres.password()), directory, List.of())) {
            AdminProgram first = cluster.addAdmin(java).awaitReady();
            AdminProgram second = cluster.addAdmin(java).awaitReady();
            cluster.startExecutor(second.api(), java);
            setUp(second.api());
            try (Program victim = cluster.addExecutor(second.api(), java, "victim")) {
                push(second.api(), 10);
                awaitEnded(cluster, MESSAGES / 20);
                victim.kill();
                push(second.api(), 10);
                AdminProgram successor = cluster.killAndReplace(first, java);
                push(second.api(), 10);
                successor.awaitReady();
                cluster.crashDatabase();
                awaitAnswer(successor.api());
                try (Program another = cluster.addExecutor(second.api(), java, "another")) {
                    push(successor.api(), 10);
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

    @Test
    void theResultOfAZombieIsRefused() throws Exception {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(db, directory)) {
            Api api = cluster.addAdmin(java).awaitReady().api();
            cluster.startExecutor(api, java);
            setUp(api);
            String id = api.post(PATH + "/messages", Map.of("payload", "hold")).requiredText("id");
            awaitStatus(api, id, "RUNNING");
            await().until(() -> !cluster.witnessedMessages("executor").isEmpty());
            int zombie = cluster.count("select executor_id::integer from orth_message");

            cluster.executor().signal("STOP");
            try (Program successor = cluster.addExecutor(api, java, "successor")) {
                awaitStatus(api, id, "DONE");
                String doneBy = api.get(PATH + "/messages/" + id).requiredText("executorId");

                cluster.releaseHeld();
                cluster.executor().signal("CONT");
                await().atMost(Duration.ofMinutes(1)).until(() -> hasToldAll(cluster, zombie));

                assertThat(api.get(PATH + "/messages/" + id).requiredText("executorId"))
                        .isEqualTo(doneBy);
                assertThat(api.get(PATH + "/messages/" + id).number("attempt", 0))
                        .isEqualTo(2);
                assertThat(cluster.witnessedMessages("executor", "successor")).hasSize(2);
                assertThat(cluster.count("select count(*) from orth_message_history"))
                        .isEqualTo(1);
                assertThat(successor.isAlive()).isTrue();
            }
        }
    }

    private static void awaitAnswer(Api api) {
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptionsMatching(failure -> true)
                .until(() -> api.get(PATH).requiredText("name").equals(WitnessExecutor.QUEUE));
    }

    /** Its claims say how many messages it has without a result, and are not answered before its results are taken. */
    private static boolean hasToldAll(Cluster cluster, int executor) {
        return cluster.count("select count(*) from orth_queue_worker where held = 0 and executor_id = " + executor)
                == 1;
    }

    private static void setUp(Api api) {
        api.put(PATH, Map.of("maxAttempts", 3, "retry", Map.of("first", "PT0.1S", "most", "PT1S")));
    }

    /** Some of them fail each time. */
    private static void push(Api api, int times) {
        for (int i = 0; i < times; i++) {
            List<Map<String, Object>> messages = new ArrayList<>();
            for (int n = 0; n < AT_ONCE; n++) {
                messages.add(n % 20 == 0 ? Map.of("payload", "fail") : Map.of("payload", "go", "maxAttempts", 10));
            }
            api.post(PATH + "/messages/bulk", Map.of("messages", messages));
        }
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
