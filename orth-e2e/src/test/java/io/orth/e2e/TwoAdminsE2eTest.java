package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-foundation")
class TwoAdminsE2eTest {

    private static final int JOBS = 200;
    private static final int SECONDS = Installation.full() ? 60 : 30;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    void twoAdminsFireEveryDueInstantExactlyOnce() {
        List<String> javas = Installation.javas();
        try (Cluster cluster = new Cluster(db, directory)) {
            AdminProgram first = cluster.addAdmin(javas.get(0)).awaitReady();
            cluster.addAdmin(javas.get(javas.size() - 1)).awaitReady();
            Api api = first.api();
            cluster.startExecutor(api, javas.get(javas.size() - 1));

            for (int i = 0; i < JOBS; i++) {
                cluster.addJobEverySecond(api, "job-" + i);
            }
            await().atMost(Duration.ofSeconds(SECONDS * 3L))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> cluster.count("select count(*) from orth_run_all") >= JOBS * SECONDS);
            int stopped = cluster.stopAllJobs();
            cluster.awaitAllRunsEnded(Duration.ofSeconds(60));

            assertThat(stopped).isEqualTo(JOBS);
            cluster.assertEveryInstantRanOnce();
            assertThat(cluster.count("select count(distinct job_id) from orth_run_all"))
                    .isEqualTo(JOBS);
            assertThat(cluster.count(
                            "select count(distinct w.node_id) from orth_transition t join orth_writer w on w.id = t.writer_id "
                                    + "where t.entity = 'RUN' and t.seq = 1"))
                    .as("nodes that fired")
                    .isEqualTo(2);
        }
    }
}
