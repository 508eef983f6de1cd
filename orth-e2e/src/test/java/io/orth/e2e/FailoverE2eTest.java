package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import io.orth.testkit.StandbyServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The primary dies under load, and its synchronous standby takes over. */
@Tag("must-kernel")
@Timeout(1_200)
class FailoverE2eTest {

    private static final String MESSAGES = "/api/queues/%s/messages".formatted(WitnessExecutor.QUEUE);
    private static final int JOBS = Installation.full() ? 200 : 20;
    private static final int SOME = Installation.full() ? 5_000 : 300;
    private static final Duration WITHIN = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    private final String java = Installation.javas().get(Installation.javas().size() - 1);

    @Test
    void promotedStandbyLosesAndDuplicatesNothing() throws Exception {
        Path first = directory.resolve("primary");
        EmbeddedPostgres primary = EmbeddedPostgres.start(EmbeddedPostgresOptions.in(first));
        try (StandbyServer standby = StandbyServer.of(primary, first, directory.resolve("standby"));
                Cluster cluster = new Cluster(both(primary, standby), directory, List.of())) {
            Api one = cluster.addAdmin(java).awaitReady().api();
            Api other = cluster.addAdmin(java).awaitReady().api();
            cluster.startExecutor(one, java);
            for (int i = 0; i < JOBS; i++) {
                cluster.addJobEverySecond(one, "job-" + i);
            }
            try (Pushes pushes = new Pushes(List.of(one, other))) {
                pushes.await(SOME);
                await().atMost(WITHIN).until(() -> cluster.count("select count(*) from orth_run_all") >= 5 * JOBS);

                kill(first);
                primary.ended().join();
                standby.promote();

                int before = pushes.acknowledged();
                int runs = await().atMost(WITHIN)
                        .ignoreExceptions()
                        .until(() -> cluster.count("select count(*) from orth_run_all"), count -> true);
                pushes.await(before + SOME);
                await().atMost(WITHIN)
                        .until(() -> cluster.count("select count(*) from orth_run_all") >= runs + 5 * JOBS);
                pushes.stop();
                assertThat(cluster.stopAllJobs()).isEqualTo(JOBS);
                cluster.awaitAllRunsEnded(WITHIN);
                cluster.assertEveryInstantRanOnce();
                assertEveryMessageEndedOnce(cluster, pushes.ids());
            }
        } finally {
            primary.stop();
        }
    }

    private static Database both(EmbeddedPostgres primary, StandbyServer standby) {
        String url = "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/orth".formatted(primary.port(), standby.port());
        return new Database(url, primary.user(), primary.password());
    }

    /** With kill -9, all processes immediately. */
    private static void kill(Path home) throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(home.resolve("cluster/postmaster.pid")).get(0));
        ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
        postmaster.descendants().forEach(ProcessHandle::destroyForcibly);
        postmaster.destroyForcibly();
    }

    private static void assertEveryMessageEndedOnce(Cluster cluster, Set<Long> acknowledged) {
        await().atMost(WITHIN).until(() -> cluster.count("select count(*) from orth_message") == 0);
        List<Long> done = cluster.sql()
                .sql("select id from orth_message_history where status = 'DONE'")
                .query(Long.class)
                .list();
        assertThat(done).doesNotHaveDuplicates().containsAll(acknowledged);
        assertThat(cluster.witnessedMessages("executor"))
                .doesNotHaveDuplicates()
                .hasSameElementsAs(done);
    }

    /** One message after the other, each given to the next admin until one has acknowledged it. */
    private static final class Pushes implements AutoCloseable {

        private final List<Api> admins;
        private final Set<Long> ids = ConcurrentHashMap.newKeySet();
        private final AtomicInteger tries = new AtomicInteger();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final Thread thread = new Thread(this::pushAll, "pushes");

        Pushes(List<Api> admins) {
            this.admins = admins;
            thread.start();
        }

        private void pushAll() {
            while (!stopped.get()) {
                Api admin = admins.get(tries.getAndIncrement() % admins.size());
                try {
                    ids.add(Long.valueOf(
                            admin.post(MESSAGES, Map.of("payload", "x")).requiredText("id")));
                } catch (RuntimeException | AssertionError e) {
                    // Not acknowledged: it may be there or not.
                }
            }
        }

        int acknowledged() {
            return ids.size();
        }

        Set<Long> ids() {
            return Set.copyOf(ids);
        }

        void await(int messages) {
            org.awaitility.Awaitility.await().atMost(WITHIN).until(() -> ids.size() >= messages);
        }

        void stop() {
            stopped.set(true);
            org.awaitility.Awaitility.await().atMost(WITHIN).until(() -> !thread.isAlive());
        }

        @Override
        public void close() {
            stop();
        }
    }
}
