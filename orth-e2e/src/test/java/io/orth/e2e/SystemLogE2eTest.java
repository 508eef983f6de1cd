package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.Json;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-queues")
class SystemLogE2eTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** Until then an admin declares no executor dead. */
    private static final String WELL_FOR_LONG =
            "select count(*) from orth_node where node_id = '%s' and started_at < now() - interval '22 seconds'";

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    void eachAdminShowsLogLinesAndLossOfTheOther() throws IOException {
        List<String> javas = Installation.javas();
        try (Cluster cluster = new Cluster(db, directory)) {
            AdminProgram first = cluster.addAdmin(javas.get(0)).awaitReady();
            AdminProgram second = cluster.addAdmin(javas.get(javas.size() - 1)).awaitReady();
            Api api = first.api();
            Api other = new Api(second.url(), tokenOf(first));
            String firstNode = api.get("/api/system").requiredText("node");
            String secondNode = other.get("/api/system").requiredText("node");

            for (Api each : List.of(api, other)) {
                await().atMost(SOON)
                        .until(() -> count(each, "admin %s starts".formatted(firstNode)) == 1
                                && count(each, "admin %s starts".formatted(secondNode)) == 1);
            }
            await().atMost(SOON).until(() -> cluster.count(WELL_FOR_LONG.formatted(firstNode)) == 1);
            second.program().kill();

            await().atMost(SOON).until(() -> count(api, "admin %s is gone without a word".formatted(secondNode)) == 1);
            assertThat(count(api, "admin %s stops".formatted(secondNode))).isZero();
        }
    }

    private static long count(Api api, String beginning) {
        return api.items("/api/logs").stream()
                .filter(line -> line.requiredText("message").startsWith(beginning))
                .count();
    }

    private static String tokenOf(AdminProgram admin) throws IOException {
        return Json.readObject(Files.readAllBytes(admin.directory().resolve("credentials.json")))
                .requiredText("apiToken");
    }
}
