package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.JsonObject;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline of three stages through an admin and executors as processes. */
@Tag("must-pipelines")
class PipelineE2eTest {

    private static final int PARTS = WitnessExecutor.PARTS;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    void everyTaskIsDoneWithItsContentOnceWhileAnExecutorIsKilled() throws Exception {
        String java = Installation.javas().get(Installation.javas().size() - 1);
        try (Cluster cluster = new Cluster(db, directory)) {
            Api api = cluster.addAdmin(java).awaitReady().api();
            cluster.startExecutor(api, java);
            api.put(
                    "/api/pipelines/" + WitnessExecutor.PIPELINE,
                    Map.of("stages", stages("books", "chapters", "pages")));
            JsonObject submitted;
            try (Program victim = cluster.addExecutor(api, java, "victim")) {
                submitted = api.post(
                        "/api/pipelines/%s/runs".formatted(WitnessExecutor.PIPELINE),
                        Map.of("scope", Map.of("targets", List.of(book("a"), book("b")))));
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> lines("victim").count() > 0
                                && lines("executor").count() + lines("victim").count() > 20);
                victim.kill();
            }
            String root = submitted.requiredText("rootJobId");
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> List.of("COMPLETED", "FAILED")
                            .contains(run(api, root).text("status")));

            JsonObject run = run(api, root);
            assertThat(run.text("status")).isEqualTo("COMPLETED");
            assertThat(run.objects("stages"))
                    .extracting(stage ->
                            "%s %s/%s".formatted(stage.text("name"), stage.text("completed"), stage.text("expected")))
                    .containsExactly(
                            "books 2/2",
                            "chapters %1$d/%1$d".formatted(2 * PARTS),
                            "pages %1$d/%1$d".formatted(2 * PARTS * PARTS));
            int tasks = 2 + 2 * PARTS + 2 * PARTS * PARTS;
            assertThat(cluster.count("select count(*) from orth_content_log where status = 'ready'"))
                    .isEqualTo(tasks);
            assertThat(cluster.count("select count(distinct content_ref) from orth_content_log"))
                    .isEqualTo(tasks);
            assertThat(Stream.concat(lines("executor"), lines("victim")).map(line -> line.split(" ", -1)))
                    .allMatch(line -> line[2].equals(root) && line[3].equals(submitted.text("traceId")));
        }
    }

    private static JsonObject run(Api api, String root) {
        return api.get("/api/pipeline-runs/" + root);
    }

    private static Map<String, Object> book(String id) {
        return Map.of("targetType", "book", "targetId", id);
    }

    private static List<Map<String, Object>> stages(String... names) {
        List<Map<String, Object>> stages = new ArrayList<>();
        for (String name : names) {
            stages.add(Map.of(
                    "name",
                    name,
                    "handler",
                    name,
                    "maxAttempts",
                    5,
                    "retry",
                    Map.of("first", "PT0.2S", "factor", 1, "most", "PT1S")));
        }
        return stages;
    }

    private Stream<String> lines(String executor) throws IOException {
        Path file = directory.resolve(executor).resolve(WitnessExecutor.TASKS);
        return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.empty();
    }
}
