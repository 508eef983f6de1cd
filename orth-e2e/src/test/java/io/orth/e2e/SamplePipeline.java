package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code hydrateAll} as it comes with {@code ./orth up}: asked for by a call, with its texts in the database that comes along. */
final class SamplePipeline {

    /** A course, its three chapters and their four topics each. */
    private static final int TEXTS = 1 + 3 + 12;

    private static final Map<String, Object> ALGEBRA = Map.of(
            "scope",
            Map.of(
                    "targets",
                    List.of(Map.of("targetType", "course", "targetId", "algebra", "meta", Map.of("language", "de")))));

    private final Api api;
    private final Path data;
    private final Duration patience;

    /** @param data the directory of {@code ./orth up} */
    SamplePipeline(Api api, Path data, Duration patience) {
        this.api = api;
        this.data = data;
        this.patience = patience;
    }

    /** Submits it, waits until all is written, and returns what the submission answered. */
    JsonObject run() {
        JsonObject accepted = api.accepted("/api/hydrateAll", ALGEBRA);
        String id = accepted.requiredText("rootJobId");
        await().atMost(patience)
                .until(() -> api.get("/api/pipeline-runs/" + id).text("status").equals("COMPLETED"));
        return accepted;
    }

    /** The content log's entries, size by reference. */
    Map<String, Long> contentOf(JsonObject run, String status) {
        Map<String, Long> sizes = new TreeMap<>();
        for (JsonObject content :
                api.items("/api/pipeline-runs/%s/content?limit=200".formatted(run.requiredText("rootJobId")))) {
            assertThat(content.text("status")).isEqualTo(status);
            sizes.put(content.requiredText("contentRef"), content.requiredNumber("size"));
        }
        assertThat(sizes).hasSize(TEXTS);
        return sizes;
    }

    /** The rows of the sample's table, size by reference. */
    Map<String, Long> stored() {
        Map<String, Long> sizes = new TreeMap<>();
        database()
                .sql()
                .sql("select ref, octet_length(body) as size from hydrate.hydrate_content")
                .query(row -> {
                    sizes.put(row.getString("ref"), row.getLong("size"));
                });
        return sizes;
    }

    /** When each text was written last, as one text. */
    String written() {
        return database()
                .sql()
                .sql("select string_agg(ref || ' ' || updated_at, ',' order by ref) from hydrate.hydrate_content")
                .query(String.class)
                .single();
    }

    private Database database() {
        try {
            Path directory = data.resolve("postgres");
            String port = Files.readAllLines(directory.resolve("cluster/postmaster.pid"))
                    .get(3);
            return new Database(
                    "jdbc:postgresql://127.0.0.1:%s/orth".formatted(port.strip()),
                    "orth",
                    Files.readString(directory.resolve("password")).strip());
        } catch (IOException e) {
            throw new AssertionError("no database", e);
        }
    }

    JsonObject postMortem(JsonObject run) {
        return api.get("/api/pipeline-runs/%s/post-mortem".formatted(run.requiredText("rootJobId")));
    }

    /** The output of the executor's program. */
    List<String> printedByTheExecutor() {
        try {
            return Files.readAllLines(data.resolve("log/executor.log"));
        } catch (IOException e) {
            throw new AssertionError("the executor has no log", e);
        }
    }
}
