package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./orth up} in a copy of the repository that has never been built. */
@Tag("must-foundation")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UpE2eTest {

    private static final Duration BUILD = Duration.ofMinutes(Installation.full() ? 20 : 8);
    /** Limits of waiting on a busy machine; promised durations are asserted where they matter. */
    private static final Duration START = Duration.ofMinutes(3);

    @TempDir
    static Path shared;

    private static FreshCopy copy;

    @TempDir
    Path directory;

    private final List<Up> started = new ArrayList<>();

    @BeforeAll
    static void copyTheRepository() {
        copy = FreshCopy.in(shared);
        if (Installation.full()) {
            copy.set("MAVEN_OPTS", "-Dmaven.repo.local=" + mavenCache());
            copy.set("npm_config_cache", npmCache().toString());
        }
    }

    /** Processes that a failed test did not stop. */
    @AfterEach
    void endAll() {
        started.forEach(Up::end);
    }

    /** Where the long form makes the build fetch everything anew. */
    private static Path mavenCache() {
        return shared.resolve("m2");
    }

    private static Path npmCache() {
        return shared.resolve("npm");
    }

    @Test
    @Order(1)
    void freshCloneBuildsAndStartsWithOneCommand() throws IOException {
        assertThat(mavenCache()).doesNotExist();
        assertThat(npmCache()).doesNotExist();
        Up up = up();

        up.awaitReady(BUILD);

        if (Installation.full()) {
            assertThat(mavenCache().resolve("org/springframework/boot/spring-boot"))
                    .isNotEmptyDirectory();
            assertThat(npmCache().resolve("_cacache")).isNotEmptyDirectory();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(up.data.resolve("credentials.json"))))
                .isEqualTo("rw-------");
        assertThat(up.api().items("/api/jobs"))
                .extracting(job -> job.text("name"))
                .contains("Countdown", "Heartbeat");
        assertThat(up.api().statusOf("/", false)).isEqualTo(200);
        assertThat(up.api().statusOf("/api/jobs", false)).isEqualTo(401);
        assertHydrates(new SamplePipeline(up.api(), up.data, START));
        up.stop();
    }

    /** In the same life, as a start takes long: what is written once is in tables, stays, and can be followed by its trace. */
    private static void assertHydrates(SamplePipeline sample) {
        JsonObject first = sample.run();
        assertThat(sample.stored()).isEqualTo(sample.contentOf(first, "ready"));
        String written = sample.written();

        JsonObject again = sample.run();

        assertThat(again.requiredText("rootJobId")).isNotEqualTo(first.requiredText("rootJobId"));
        assertThat(sample.contentOf(again, "unchanged")).isEqualTo(sample.stored());
        assertThat(sample.written()).as("nothing is written twice").isEqualTo(written);
        JsonObject document = sample.postMortem(first);
        assertThat(document.requiredText("traceId")).isEqualTo(first.requiredText("traceId"));
        assertThat(document.objects("taskLogs"))
                .hasSize(16)
                .allSatisfy(log -> assertThat(log.text("text", "")).contains("wrote "));
        assertThat(sample.printedByTheExecutor())
                .filteredOn(line -> line.contains("traceId=\"%s\"".formatted(document.requiredText("traceId"))))
                .hasSize(16)
                .allMatch(line -> line.contains("rootJobId=\"%s\"".formatted(first.requiredText("rootJobId"))))
                .allMatch(line -> line.contains("wrote "));
    }

    /** A machine that is busy with other tests gets several attempts, each from the start. */
    @Test
    @Order(2)
    void showsSampleJobLogWithin20SecondsFromBuiltTree() {
        Duration taken = timeToALogLine("first");
        for (int tries = 1; tries < 3 && taken.toSeconds() >= 20; tries++) {
            taken = timeToALogLine("try " + tries);
        }

        assertThat(taken).isLessThan(Duration.ofSeconds(20));
    }

    private Duration timeToALogLine(String data) {
        long begun = System.nanoTime();
        Up up = up(data);
        await().atMost(START).until(up::showsALogLine);
        Duration taken = Duration.ofNanos(System.nanoTime() - begun);
        up.stop();
        return taken;
    }

    @Test
    @Order(3)
    void leavesNothingBehindWhenKilledAndRecovers() {
        Up first = up();
        first.awaitReady(START);
        String job = first.createJob("Kept");
        String run = first.runForLong();

        first.program.kill();

        await().atMost(START).until(() -> first.processes().isEmpty());
        Up second = up();
        second.awaitReady(START);
        assertThat(second.api().get("/api/jobs/" + job).text("name")).isEqualTo("Kept");
        second.awaitEnd(run);
        second.stop();
    }

    @Test
    @Order(4)
    void recoversAfterAllProcessesAreKilled() {
        Up first = up();
        first.awaitReady(START);
        String job = first.createJob("Kept");
        String run = first.runForLong();

        first.program.kill();
        first.processes().stream().filter(process -> !isPostgres(process)).forEach(ProcessHandle::destroyForcibly);

        Up second = up();
        second.awaitReady(START);
        assertThat(second.api().get("/api/jobs/" + job).text("name")).isEqualTo("Kept");
        second.awaitEnd(run);
        second.stop();
    }

    @Test
    @Order(5)
    void endsWhenItsDatabaseDiesAndRecovers() {
        Up first = up();
        first.awaitReady(START);
        String job = first.createJob("Kept");

        first.processes().stream().filter(UpE2eTest::isPostgres).forEach(ProcessHandle::destroyForcibly);

        assertThat(first.program.exitCode(START)).isNotZero();
        assertThat(first.program.output()).contains("the embedded PostgreSQL has ended unasked");
        assertThat(first.processes()).isEmpty();
        Up second = up();
        second.awaitReady(START);
        assertThat(second.api().get("/api/jobs/" + job).text("name")).isEqualTo("Kept");
        second.stop();
    }

    @Test
    @Order(6)
    void rejectsSecondInstanceOnTheSameDirectory() {
        Up first = up();
        first.awaitReady(START);

        assertRejected(Map.of(), "in use", "--port", freePort(), "--data", first.data.toString());

        first.stop();
    }

    @Test
    @Order(7)
    void reportsErrorsInOneSentence() throws IOException {
        String data = directory.resolve("data").toString();
        assertRejected(
                Map.of(),
                "database",
                "--port",
                freePort(),
                "--data",
                data,
                "--db-url",
                "jdbc:postgresql://127.0.0.1:1/nowhere",
                "--db-user",
                "nobody");
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(busy.getLocalPort());
            assertRejected(Map.of(), "port " + port, "--port", port, "--data", data);
        }
        assertRejected(Map.of("ORTH_JAVA", oldJava().toString()), "Java 11", "--port", freePort(), "--data", data);
        assertRejected(Map.of(), "--colour", "--colour", "red");
    }

    @Test
    @Order(8)
    void reportsUnwritableDataDirectoryInOneSentence() throws IOException {
        try (ReadOnlyDirectory readOnly = ReadOnlyDirectory.at(directory.resolve("read-only"))) {
            for (Path data : List.of(readOnly.path(), readOnly.path().resolve("data"))) {
                assertRejected(
                        Map.of(), data + " cannot be written to", "--port", freePort(), "--data", data.toString());
            }
        }
    }

    private void assertRejected(Map<String, String> environment, String part, String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "up";
        System.arraycopy(options, 0, arguments, 1, options.length);
        try (Program program = copy.orth(directory.resolve("refused.log"), environment, arguments)) {
            assertThat(program.exitCode(START)).isNotZero();
            assertThat(program.output().strip().lines().filter(line -> !line.startsWith("Starting the admin; ")))
                    .as("what %s says", List.of(arguments))
                    .hasSize(1)
                    .first()
                    .asString()
                    .containsIgnoringCase(part);
        }
    }

    /** A stand-in, as no JDK that old is at hand: all that is asked of it is its version. */
    private Path oldJava() throws IOException {
        Path java = directory.resolve("old-jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"11.0.22\"' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory.resolve("old-jdk");
    }

    private static String freePort() {
        return Integer.toString(FreePort.find());
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("postgres");
    }

    private Up up() {
        return up("the data");
    }

    private Up up(String data) {
        Up up = new Up(directory.resolve(data), FreePort.find(), directory.resolve("up.log"));
        started.add(up);
        return up;
    }

    /** One running {@code ./orth up}. */
    private static final class Up {

        private final Path data;
        private final int port;
        private final Program program;

        Up(Path data, int port, Path output) {
            this.data = data;
            this.port = port;
            this.program = copy.orth(output, "up", "--port", Integer.toString(port), "--data", data.toString());
        }

        void awaitReady(Duration within) {
            await().atMost(within).pollInterval(Duration.ofMillis(200)).until(() -> {
                if (!program.isAlive()) {
                    throw new AssertionError("./orth up ended: " + program.output());
                }
                return program.output().lines().anyMatch(line -> line.equals("ready http://127.0.0.1:" + port));
            });
        }

        Api api() {
            try {
                byte[] credentials = Files.readAllBytes(data.resolve("credentials.json"));
                return new Api(
                        "http://127.0.0.1:" + port, Json.readObject(credentials).requiredText("apiToken"));
            } catch (IOException e) {
                throw new AssertionError("no credentials", e);
            }
        }

        boolean showsALogLine() {
            if (!Files.exists(data.resolve("credentials.json")) || api().statusOf("/api/runs", true) != 200) {
                return false;
            }
            return api().items("/api/runs").stream()
                    .filter(run -> run.has("executorAddress"))
                    .map(run -> api().get("/api/runs/%s/log".formatted(run.text("id"))))
                    .anyMatch(log -> log.text("text", "").contains("\n"));
        }

        String createJob(String name) {
            return api().post(
                            "/api/jobs",
                            Map.of("name", name, "groupId", countdown().text("groupId"), "handler", "sample.heartbeat"))
                    .requiredText("id");
        }

        /** Starts a countdown that takes minutes and waits until its executor has it. */
        String runForLong() {
            String run = api().post("/api/jobs/%s/trigger".formatted(countdown().text("id")), Map.of("param", "10000"))
                    .requiredText("runId");
            await().atMost(START)
                    .until(() -> api().get("/api/runs/" + run).text("status").equals("PENDING"));
            return run;
        }

        private JsonObject countdown() {
            return api().items("/api/jobs?q=Countdown").get(0);
        }

        void awaitEnd(String run) {
            await().atMost(START)
                    .untilAsserted(
                            () -> assertThat(api().get("/api/runs/" + run).text("status"))
                                    .isEqualTo("FAILED"));
        }

        /** All processes that have to do with this data. */
        List<ProcessHandle> processes() {
            return ProcessHandle.allProcesses()
                    .filter(process -> process.info().commandLine().orElse("").contains(data.toString()))
                    .toList();
        }

        void end() {
            program.close();
            processes().forEach(ProcessHandle::destroyForcibly);
        }

        /** As Ctrl-C does; nothing may be left. */
        void stop() {
            program.terminate();
            program.exitCode(START);
            assertThat(processes()).isEmpty();
        }
    }
}
