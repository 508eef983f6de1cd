package io.orth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test JVMs and their guardian as real processes; a process that only waits stands in for the build. */
@Timeout(60)
class BuildServerTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private Process build;

    @BeforeEach
    void startTheBuild() throws IOException {
        build = new ProcessBuilder("cat").start();
    }

    @AfterEach
    void endTheBuild() {
        build.destroyForcibly();
        await().atMost(SOON).until(() -> guardians().isEmpty());
    }

    @Test
    void testsOfAMavenBuildUseItsServer() throws IOException {
        Optional<Build> maven = Build.ofThisProcess();
        assumeThat(maven).as("started by Maven").isPresent();

        assertThat(db.url())
                .contains(":%d/".formatted(BuildServer.of(maven.get()).port()));
    }

    @Test
    void twoJvmsOfABuildShareOneServer() throws Exception {
        try (TestJvm first = TestJvm.start(build);
                TestJvm second = TestJvm.start(build)) {
            TestJvm.Has one = first.has();
            TestJvm.Has other = second.has();

            assertThat(other.port()).isEqualTo(one.port());
            assertThat(other.directory()).isEqualTo(one.directory());
            assertThat(other.database()).isNotEqualTo(one.database());
            assertThat(guardians()).hasSize(1);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(addressFile())))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void endingJvmDropsItsDatabasesAndLeavesTheServer() throws Exception {
        TestJvm.Has gone;
        try (TestJvm jvm = TestJvm.start(build)) {
            gone = jvm.has();
            assertThat(databases()).contains(gone.database());
        }

        assertThat(databases()).noneMatch(name -> name.startsWith("test_"));
        try (TestJvm next = TestJvm.start(build)) {
            assertThat(next.has().port()).isEqualTo(gone.port());
        }
    }

    @Test
    void killedJvmAffectsNeitherServerNorNextJvm() throws Exception {
        try (TestJvm killed = TestJvm.start(build);
                TestJvm next = TestJvm.start(build)) {
            TestJvm.Has gone = killed.has();
            killed.kill();

            TestJvm.Has kept = next.has();
            assertThat(kept.port()).isEqualTo(gone.port());
            assertThat(kept.database()).isNotEqualTo(gone.database());
        }
    }

    @Test
    void removesServerWhenTheBuildIsKilled() throws Exception {
        try (TestJvm jvm = TestJvm.start(build)) {
            Path directory = jvm.has().directory();
            Path file = addressFile();
            assertThat(processesOf(directory)).isNotEmpty();
            assertThat(file).exists();
            jvm.kill();

            build.destroyForcibly().waitFor();

            await().atMost(SOON).untilAsserted(() -> {
                assertThat(guardians()).isEmpty();
                assertThat(processesOf(directory)).isEmpty();
                assertThat(directory).doesNotExist();
                assertThat(file).doesNotExist();
            });
        }
    }

    @Test
    void aGuardianThatIsKilledIsReplaced() throws Exception {
        try (TestJvm before = TestJvm.start(build)) {
            Path directory = before.has().directory();
            guardians().forEach(ProcessHandle::destroyForcibly);
            await().atMost(SOON).until(() -> processesOf(directory).isEmpty());
            before.kill();

            try (TestJvm after = TestJvm.start(build)) {
                assertThat(after.has().directory()).isNotEqualTo(directory).exists();
                assertThat(guardians()).hasSize(1);
                assertThat(directory).as("what the killed one left").doesNotExist();
            }
        }
    }

    @Test
    void withoutABuildAJvmHasItsOwn() throws Exception {
        Path directory;
        try (TestServer own = TestServer.open(Optional.empty())) {
            directory = own.address().directory();
            assertThat(directory.getFileName().toString())
                    .contains("-%d-".formatted(ProcessHandle.current().pid()));
            assertThat(directory).exists();
        }
        assertThat(directory).doesNotExist();
    }

    private Path addressFile() throws IOException {
        return TestDirectories.meeting().resolve(new Build(build.toHandle()).key());
    }

    private List<String> databases() throws Exception {
        return ServerAddress.read(addressFile()).orElseThrow().databases("");
    }

    /** The guardians of this test's build. */
    private List<ProcessHandle> guardians() {
        return running("%s %d ".formatted(Guardian.class.getName(), build.pid()));
    }

    private static List<ProcessHandle> processesOf(Path directory) {
        return running(directory.toString());
    }

    private static List<ProcessHandle> running(String inCommandLine) {
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process).contains(inCommandLine))
                .toList();
    }

    /** Java shows only the beginning of a long one. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .replace('\0', ' ');
        } catch (IOException e) {
            return process.info().commandLine().orElse("");
        }
    }
}
