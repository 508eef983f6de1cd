package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.JsonObject;
import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Executors of XXL-JOB's, as they are published, join Orth unchanged. */
@Tag("must-runs")
class XxlJobE2eTest {

    private static final List<String> VERSIONS = List.of("2.4.1", "2.5.0", "3.3.2");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    @TempDir
    static Path directory;

    private static AdminProgram admin;
    private static Api api;

    @BeforeAll
    static void startAdmin() {
        // They register every 30 seconds, and nothing makes them do so more often.
        admin = AdminProgram.start(
                        Installation.javas().get(0),
                        directory.resolve("admin"),
                        Database.of(db),
                        List.of(
                                "orth.xxl-job.silent-after=40s",
                                "orth.xxl-job.lost-every=1s",
                                "orth.xxl-job.lost-after=2s",
                                "orth.xxl-job.log-every=200ms"))
                .awaitReady();
        api = admin.api();
    }

    @AfterAll
    static void stopAdmin() {
        admin.close();
    }

    static Stream<String> versions() {
        return VERSIONS.stream();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void registersRunsAndDeregisters(String version) {
        String group = group("works-" + version);
        // The newest looks for its admin at the top, the others below the name of XXL-JOB's.
        String base = admin.url() + (version.startsWith("3.") ? "" : "/xxl-job-admin");
        try (XxlJobProgram executor = start(version, base, group, "works-" + version)) {
            awaitStatus(group, "ONLINE");
            assertThat(executors(group)).extracting(one -> one.text("kind")).containsExactly("XXL_JOB");

            runsToTheEnd(group);
            isReadWhileItRunsAndAfter(group, executor);
            isKilled(group);

            executor.program().terminate();
            awaitStatus(group, "OFFLINE");
        }
    }

    private static void runsToTheEnd(String group) {
        JsonObject greeted = ended(trigger(group, "greet", "Ann & Bob <äöü>"));
        assertThat(greeted.text("status")).isEqualTo("SUCCESS");
        assertThat(greeted.text("cause")).isEqualTo("CALLBACK");
        assertThat(greeted.text("handleMsg")).isEqualTo("greeted Ann & Bob <äöü> as shard 0 of 1");
        assertThat(log(greeted.text("id"))).contains("hello Ann & Bob <äöü>");

        JsonObject failed = ended(trigger(group, "fail", ""));
        assertThat(failed.text("status")).isEqualTo("FAILED");
        assertThat(failed.text("handleMsg")).isEqualTo("as it was told");

        JsonObject crashed = ended(trigger(group, "count", "a bug"));
        assertThat(crashed.text("status")).isEqualTo("FAILED");
        assertThat(crashed.text("handleMsg")).contains("a bug");

        JsonObject refused = ended(trigger(group, "nobody", ""));
        assertThat(refused.text("status")).isEqualTo("TRIGGER_FAILED");
        assertThat(refused.text("triggerMsg")).contains("job handler [nobody] not found.");
    }

    private static void isReadWhileItRunsAndAfter(String group, XxlJobProgram executor) {
        String run = trigger(group, "held", "");
        try (Stream<String> live = api.lines("/api/runs/%s/log/stream".formatted(run))) {
            assertThat(live.filter(line -> line.contains("still waiting")).findFirst())
                    .as("what the live log shows")
                    .isPresent();
        }
        assertThat(api.get("/api/runs/" + run).text("status")).isEqualTo("PENDING");

        executor.release();

        assertThat(ended(run).text("status")).isEqualTo("SUCCESS");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(log(run)).contains("waiting to be released", "released\n"));
        try (Stream<String> whole = api.lines("/api/runs/%s/log/stream".formatted(run))) {
            assertThat(whole).anyMatch(line -> line.contains("released\\n")).anyMatch("event:end"::equals);
        }
    }

    private static void isKilled(String group) {
        String run = trigger(group, "endless", "");
        awaitPending(run);

        JsonObject killed = api.post("/api/runs/%s/kill".formatted(run), Map.of("reason", "enough"));

        assertThat(killed.objects("runs").get(0).text("message"))
                .as("what the operator is told, unless it is over already")
                .containsAnyOf("can only end a whole job", "scheduling center kill job.");
        JsonObject ended = ended(run);
        assertThat(ended.text("status")).isEqualTo("FAILED");
        assertThat(ended.text("cause")).isEqualTo("KILLED");
        assertThat(ended.text("handleMsg")).contains("enough", "scheduling center kill job.");
    }

    @Test
    void aFleetOfAllVersionsSharesABroadcast() {
        String group = group("fleet");
        List<XxlJobProgram> executors = new ArrayList<>();
        try {
            for (String version : VERSIONS) {
                executors.add(start(version, admin.url(), group, "fleet", directory.resolve("fleet-" + version)));
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(executors(group))
                            .hasSize(VERSIONS.size())
                            .allMatch(one -> "ONLINE".equals(one.text("status"))));

            trigger(group, Map.of("handler", "greet", "routing", "SHARDING_BROADCAST"), "all");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(api.items("/api/runs?groupId=" + group))
                            .extracting(run -> run.text("handleMsg"))
                            .containsExactlyInAnyOrder(
                                    "greeted all as shard 0 of 3",
                                    "greeted all as shard 1 of 3",
                                    "greeted all as shard 2 of 3"));
        } finally {
            executors.forEach(XxlJobProgram::close);
        }
    }

    @Test
    void declaresVanishedExecutorsDeadAndTheirRunsLost() {
        Map<String, String> runs = new HashMap<>();
        List<XxlJobProgram> executors = new ArrayList<>();
        try {
            for (String version : VERSIONS) {
                String group = group("vanishes-" + version);
                executors.add(start(version, admin.url(), group, "vanishes-" + version));
                awaitStatus(group, "ONLINE");
                String run = trigger(group, "endless", "");
                awaitPending(run);
                runs.put(group, run);
            }

            executors.forEach(executor -> executor.program().kill());

            runs.forEach((group, run) -> {
                awaitStatus(group, "DEAD");
                JsonObject lost = ended(run);
                assertThat(lost.text("status")).isEqualTo("FAILED");
                assertThat(lost.text("cause")).isEqualTo("LOST");
                assertThat(lost.number("handleCode", 0)).isEqualTo(500);
                assertThat(lost.text("handleMsg")).isEqualTo("Result lost");
            });
        } finally {
            executors.forEach(XxlJobProgram::close);
        }
    }

    private static String group(String name) {
        return api.post("/api/groups", Map.of("name", name)).requiredText("id");
    }

    private static XxlJobProgram start(String version, String base, String group, String name) {
        return start(version, base, group, name, directory.resolve(name));
    }

    private static XxlJobProgram start(String version, String base, String group, String name, Path files) {
        String token = api.get("/api/groups/%s/token".formatted(group)).requiredText("token");
        return XxlJobProgram.start(version, base, name, token, files);
    }

    private static List<JsonObject> executors(String group) {
        return api.items("/api/executors?groupId=" + group);
    }

    private static void awaitStatus(String group, String status) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(executors(group))
                        .extracting(one -> one.text("status"))
                        .containsExactly(status));
    }

    /** Returns the run's id. */
    private static String trigger(String group, String handler, String param) {
        return trigger(group, Map.of("handler", handler), param);
    }

    private static String trigger(String group, Map<String, Object> job, String param) {
        Map<String, Object> body = new HashMap<>(job);
        body.put("name", job.get("handler"));
        body.put("groupId", group);
        String id = api.post("/api/jobs", body).requiredText("id");
        return api.post("/api/jobs/%s/trigger".formatted(id), Map.of("param", param))
                .requiredText("runId");
    }

    private static void awaitPending(String run) {
        await().atMost(PATIENCE)
                .until(() -> "PENDING".equals(api.get("/api/runs/" + run).text("status")));
    }

    private static JsonObject ended(String run) {
        return await().atMost(PATIENCE)
                .until(
                        () -> api.get("/api/runs/" + run),
                        found -> !List.of("INIT", "PENDING").contains(found.text("status")));
    }

    private static String log(String run) {
        return api.get("/api/runs/%s/log".formatted(run)).text("text", "");
    }
}
