package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.kernel.FaultPoints;
import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An admin dies at a named moment between deciding that a run is due and knowing that an executor has it. */
@Tag("must-foundation")
class AdminKilledE2eTest {

    private static final Duration RESCUE = Duration.ofMinutes(2);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    /** The handler is held until the survivor knows where the run is: its result must not be the source of that. */
    @ParameterizedTest
    @ValueSource(strings = {FaultPoints.DISPATCH_AFTER_INTENT, FaultPoints.DISPATCH_AFTER_SEND})
    void runsOnceWhenAdminDiesDuringDispatch(String faultPoint) {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(db, directory)) {
            AdminProgram survivor = cluster.addAdmin(java).awaitReady();
            AdminProgram doomed = cluster.addAdminToHaltAt(faultPoint, java).awaitReady();
            Api api = survivor.api();
            cluster.startExecutor(api, java);
            String job = cluster.addHeldJob(api, "once");

            doomed.api().postToTheDoomed("/api/jobs/%s/trigger".formatted(job), Map.of());

            assertThat(doomed.program().exitCode(RESCUE)).isEqualTo(HaltAtFaultPoint.KILLED);
            String run = api.items("/api/runs?jobId=" + job).get(0).requiredText("id");
            awaitStatus(api, run, "PENDING");
            cluster.releaseHeld();
            awaitStatus(api, run, "SUCCESS");
            assertThat(cluster.witnessed()).isEqualTo(List.of(Long.valueOf(run)));
        }
    }

    private static void awaitStatus(Api api, String run, String status) {
        await().atMost(RESCUE)
                .untilAsserted(() ->
                        assertThat(api.get("/api/runs/" + run).text("status")).isEqualTo(status));
    }

    @Test
    void runsFiresOnceWhenAdminDiesBeforeDispatch() {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(db, directory)) {
            AdminProgram survivor = cluster.addAdmin(java).awaitReady();
            Api api = survivor.api();
            cluster.startExecutor(api, java);
            AdminProgram doomed = cluster.addAdminToHaltAt(FaultPoints.SCHEDULE_AFTER_CLAIM, java)
                    .awaitReady();

            for (int i = 0; i < 20; i++) {
                cluster.addJobEverySecond(api, "job-" + i);
            }
            assertThat(doomed.program().exitCode(RESCUE)).isEqualTo(HaltAtFaultPoint.KILLED);
            int unsentByTheDead = cluster.count("select count(*) from orth_run_all where status = 'INIT'");
            await().atMost(RESCUE).until(() -> cluster.witnessed().size() >= 20 * 5);
            cluster.stopAllJobs();
            cluster.awaitAllRunsEnded(RESCUE);

            assertThat(unsentByTheDead).as("runs the dead admin had claimed").isPositive();
            cluster.assertEveryInstantRanOnce();
        }
    }
}
