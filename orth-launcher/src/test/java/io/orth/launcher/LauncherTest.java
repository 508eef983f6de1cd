package io.orth.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LauncherTest {

    @TempDir
    Path directory;

    private Path data;
    private int port;

    @BeforeEach
    void choosePlace() throws IOException {
        data = directory.resolve("data of a test");
        port = LauncherProcess.freePort();
    }

    private LauncherProcess start(Map<String, String> environment) throws IOException {
        return LauncherProcess.start(
                directory, environment, "--data", data.toString(), "--port", Integer.toString(port));
    }

    private LauncherProcess start() throws IOException {
        return start(Map.of());
    }

    private List<String> requests(String kind) throws IOException {
        return Events.of(data).stream().filter(event -> event.startsWith(kind)).toList();
    }

    @Test
    void startsEverythingAndStopsTheExecutorFirst() throws Exception {
        try (LauncherProcess launcher = start()) {
            List<String> lines = launcher.linesUntil("ready ");

            assertThat(lines).last().isEqualTo("ready http://127.0.0.1:" + port);
            assertThat(lines)
                    .anyMatch(line -> line.contains("admin"))
                    .anyMatch(line -> line.contains("pass-word"))
                    .contains("[admin] 2030-01-01 00:00:00 WARN  a loud line")
                    .noneMatch(line -> line.contains("a quiet line"));
            assertThat(data.resolve("log/admin.log")).content().contains("a quiet line", "a loud line");
            assertThat(Events.of(data)).contains("executor token group-token");
            launcher.signal("TERM");

            assertThat(launcher.exitCode()).isZero();
            assertThat(Events.of(data)).endsWith("executor stopped", "admin stopped");
        }
    }

    @Test
    void createsSampleJobsOnceAndRunsOne() throws Exception {
        try (LauncherProcess launcher = start()) {
            launcher.linesUntil("ready ");
        }
        assertThat(requests("POST /api/jobs ")).hasSize(5);
        assertThat(requests("POST /api/jobs ").get(0)).contains("\"name\":\"Countdown\"", "\"groupId\":\"5\"");
        assertThat(requests("POST /api/jobs/1/trigger")).hasSize(1);
        assertThat(requests("PUT /api/pipelines/hydrateAll"))
                .containsExactly("PUT /api/pipelines/hydrateAll stages: []");

        try (LauncherProcess launcher = start()) {
            List<String> lines = launcher.linesUntil("ready ");

            assertThat(lines).last().isEqualTo("ready http://127.0.0.1:" + port);
            assertThat(lines).noneMatch(line -> line.contains("pass-word"));
        }
        assertThat(requests("POST /api/jobs ")).hasSize(5);
    }

    /** As on a copied data directory: an administrator resumes it while it runs. */
    @Test
    @Tag("must-first")
    void startsAnInstallationThatIsPaused() throws Exception {
        try (LauncherProcess launcher = start(Map.of(FakeAdminProgram.MODE, "paused"))) {
            assertThat(launcher.linesUntil("ready ")).last().isEqualTo("ready http://127.0.0.1:" + port);
        }
    }

    private List<String> seenByTheExecutor() throws IOException {
        return Events.of(data).stream()
                .filter(event -> event.startsWith("executor sees "))
                .map(event -> event.substring("executor sees ".length()))
                .toList();
    }

    @Test
    @Tag("must-pipelines")
    void samplePipelineUsesSchemaInEmbeddedDatabase() throws Exception {
        try (LauncherProcess launcher = start()) {
            launcher.linesUntil("ready ");
        }

        assertThat(seenByTheExecutor())
                .containsExactly(
                        "HYDRATE_DB_PASSWORD_FILE=" + data.resolve("postgres/password"),
                        "HYDRATE_DB_URL=jdbc:postgresql://127.0.0.1:54329/orth?currentSchema=hydrate",
                        "HYDRATE_DB_USER=orth");
    }

    @Test
    @Tag("must-pipelines")
    void userSettingOfContentStoreTakesPrecedence() throws Exception {
        try (LauncherProcess launcher = start(Map.of("HYDRATE_CONTENT_DIR", "/texts", "HYDRATE_MODEL", "m"))) {
            launcher.linesUntil("ready ");
        }

        assertThat(seenByTheExecutor()).containsExactly("HYDRATE_CONTENT_DIR=/texts", "HYDRATE_MODEL=m");
    }

    @Test
    @Tag("must-pipelines")
    void emptyVariableTakesPrecedenceToo() throws Exception {
        try (LauncherProcess launcher = start(Map.of("HYDRATE_DB_URL", ""))) {
            launcher.linesUntil("ready ");
        }

        assertThat(seenByTheExecutor()).containsExactly("HYDRATE_DB_URL=");
    }

    @Test
    @Tag("must-pipelines")
    void sampleCreatesNothingInUsersDatabase() throws Exception {
        // There is still all that an embedded one has left.
        try (LauncherProcess launcher = start()) {
            launcher.linesUntil("ready ");
        }
        List<String> before = seenByTheExecutor();
        try (LauncherProcess launcher = LauncherProcess.start(
                directory,
                Map.of(),
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port),
                "--db-url",
                "jdbc:postgresql://db.example.org/orth")) {
            launcher.linesUntil("ready ");
        }

        assertThat(seenByTheExecutor()).isEqualTo(before);
    }

    @Test
    void startsTheAdminAloneWithoutSamples() throws Exception {
        try (LauncherProcess launcher = LauncherProcess.start(
                directory, Map.of(), "--data", data.toString(), "--port", Integer.toString(port), "--no-samples")) {
            assertThat(launcher.linesUntil("ready ")).last().isEqualTo("ready http://127.0.0.1:" + port);
            assertThat(Events.of(data)).hasSize(1);
        }
    }

    @Test
    void trialRunEndsOnceEverythingRuns() throws Exception {
        try (LauncherProcess launcher = LauncherProcess.start(
                directory, Map.of(), "--data", data.toString(), "--port", Integer.toString(port), "--trial")) {
            launcher.linesUntil("ready ");

            assertThat(launcher.exitCode()).isZero();
            assertThat(Events.of(data)).endsWith("executor stopped", "admin stopped");
        }
    }

    @Test
    void endsWithZeroOnCtrlC() throws Exception {
        try (LauncherProcess launcher = start()) {
            launcher.linesUntil("ready ");
            launcher.signal("INT");

            assertThat(launcher.exitCode()).isZero();
            assertThat(Events.of(data)).endsWith("executor stopped", "admin stopped");
        }
    }

    @Test
    void leavesNoProcessBehindWhenItIsKilled() throws Exception {
        try (LauncherProcess launcher = start()) {
            launcher.linesUntil("ready ");
            ProcessHandle admin = Events.process(data, "admin");
            ProcessHandle executor = Events.process(data, "executor");

            launcher.signal("KILL");

            await().atMost(Duration.ofSeconds(20)).until(() -> !admin.isAlive() && !executor.isAlive());
        }
    }

    @Test
    void endsWithTheOthersWhenAChildDies() throws Exception {
        try (LauncherProcess launcher = start()) {
            launcher.linesUntil("ready ");
            ProcessHandle admin = Events.process(data, "admin");
            Events.process(data, "executor").destroyForcibly();

            assertThat(launcher.linesUntilEnd())
                    .last()
                    .asString()
                    .isEqualTo("The executor ended with code 137; its log is %s.", data.resolve("log/executor.log"));
            assertThat(launcher.exitCode()).isEqualTo(1);
            assertThat(admin.isAlive()).isFalse();
        }
    }

    @Test
    void showsTheLastWordsOfAnAdminThatCannotStart() throws Exception {
        try (LauncherProcess launcher = start(Map.of(FakeAdminProgram.MODE, "broken"))) {
            assertThat(launcher.linesUntilEnd())
                    .endsWith(
                            "[admin] The database in this directory was made by PostgreSQL 9.6.",
                            "The admin ended with code 3; its log is %s.".formatted(data.resolve("log/admin.log")));
            assertThat(launcher.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void rejectsAPortThatIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            port = taken.getLocalPort();
            try (LauncherProcess launcher = start()) {
                assertThat(launcher.linesUntilEnd())
                        .containsExactly(
                                "Port %d is already in use; stop the program that uses it or choose another with --port."
                                        .formatted(port));
                assertThat(launcher.exitCode()).isEqualTo(1);
            }
        }
    }

    @Test
    void rejectsInvalidDataDirectory() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        data = file.resolve("data");
        try (LauncherProcess launcher = start()) {
            assertThat(launcher.linesUntilEnd())
                    .singleElement()
                    .asString()
                    .startsWith("The data directory %s cannot be".formatted(data));
            assertThat(launcher.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void rejectsAnUnknownOption() throws Exception {
        try (LauncherProcess launcher = LauncherProcess.start(directory, Map.of(), "--colour")) {
            assertThat(launcher.linesUntilEnd())
                    .containsExactly("'--colour' is not an option of up; ./orth help lists them.");
            assertThat(launcher.exitCode()).isEqualTo(2);
        }
    }
}
