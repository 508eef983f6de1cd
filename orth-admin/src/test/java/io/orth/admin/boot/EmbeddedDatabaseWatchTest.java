package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own, as what is promised is the end of the process. */
@Timeout(60)
class EmbeddedDatabaseWatchTest {

    @TempDir
    static Path binaries;

    @TempDir
    Path directory;

    private Process process;
    private BufferedReader output;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        WatchedDatabase.class.getName(),
                        directory.toString(),
                        binaries.toString())
                .redirectErrorStream(true)
                .start();
        output = process.inputReader(StandardCharsets.UTF_8);
        assertThat(output.lines().anyMatch("watching"::equals)).isTrue();
    }

    @AfterEach
    void killProcess() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Test
    void theNodeEndsWithItsDatabaseAndSaysWhy() throws Exception {
        killPostgres();

        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(output.lines()).anyMatch(line -> line.contains("the embedded PostgreSQL has ended unasked"));
    }

    @Test
    void aDatabaseThatIsStoppedInOrderIsNoReasonToEnd() throws Exception {
        process.getOutputStream().close();

        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(WatchedDatabase.STOPPED_IN_ORDER);
        assertThat(output.lines()).noneMatch(line -> line.contains("unasked"));
    }

    private void killPostgres() throws IOException {
        String pid =
                Files.readAllLines(directory.resolve("cluster/postmaster.pid")).get(0);
        ProcessHandle postgres = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        postgres.destroyForcibly();
        await().until(() -> !postgres.isAlive());
    }
}
