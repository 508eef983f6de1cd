package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-foundation")
class ExecutorKilledE2eTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    void declaresRunOfKilledExecutorLost() {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(db, directory)) {
            Api api = cluster.addAdmin(java).awaitReady().api();
            cluster.startExecutor(api, java);
            String job = cluster.addEndlessJob(api, "endless");
            String run =
                    api.post("/api/jobs/%s/trigger".formatted(job), Map.of()).requiredText("runId");
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> "PENDING".equals(api.get("/api/runs/" + run).text("status")));

            cluster.executor().kill();

            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                assertThat(api.get("/api/runs/" + run).text("status")).isEqualTo("FAILED");
                assertThat(api.get("/api/runs/" + run).text("cause")).isEqualTo("LOST");
                assertThat(api.get("/api/runs/" + run).text("handleMsg")).isEqualTo("Result lost");
                assertThat(api.get("/api/runs/" + run).number("handleCode", 0)).isEqualTo(500);
            });
        }
    }
}
