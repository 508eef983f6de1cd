package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-runs")
class KilledAdminsE2eTest {

    private static final int ADMINS = Installation.full() ? 3 : 2;
    private static final int JOBS = Installation.full() ? 1_000 : 200;
    private static final int SECONDS = Installation.full() ? 60 : 30;
    private static final int SECONDS_BETWEEN_KILLS = Installation.full() ? 20 : 10;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    void everyDueInstantRunsExactlyOnceWhileAdminsAreKilled() {
        String java = Installation.javas().get(Installation.javas().size() - 1);
        try (Cluster cluster = new Cluster(db, directory)) {
            Deque<AdminProgram> admins = new ArrayDeque<>();
            for (int i = 0; i < ADMINS; i++) {
                admins.add(cluster.addAdmin(java).awaitReady());
            }
            Api api = admins.getFirst().api();
            cluster.startExecutor(api, java);
            for (int i = 0; i < JOBS; i++) {
                cluster.addJobEverySecond(api, "job-" + i);
            }

            int killed = 0;
            for (int second = SECONDS_BETWEEN_KILLS; second < SECONDS; second += SECONDS_BETWEEN_KILLS) {
                awaitRuns(cluster, JOBS * second);
                admins.add(cluster.killAndReplace(admins.remove(), java).awaitReady());
                killed++;
            }
            awaitRuns(cluster, JOBS * SECONDS);
            int stopped = cluster.stopAllJobs();
            cluster.awaitAllRunsEnded(Duration.ofMinutes(3));

            assertThat(killed).isEqualTo(2);
            assertThat(stopped).isEqualTo(JOBS);
            cluster.assertEveryInstantRanOnce();
            assertThat(cluster.count("select count(distinct job_id) from orth_run_all"))
                    .isEqualTo(JOBS);
        }
    }

    /** A deadline far beyond the rate of one run per job and second, as starting admins take from it. */
    private static void awaitRuns(Cluster cluster, int runs) {
        await().atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> cluster.count("select count(*) from orth_run_all") >= runs);
    }
}
