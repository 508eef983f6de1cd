package io.orth.executor;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handlers with hostile output. */
@Tag("must-executor")
@Timeout(300)
class HostileOutputTest {

    private static final String HALF_A_CHARACTER = "\uD83D";
    private static final int MB = 1024 * 1024;

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private OrthExecutor executor;
    private ExecutorClient client;

    @BeforeEach
    void start() {
        executor = OrthExecutor.create(
                        ExecutorOptions.builder()
                                .group("tests")
                                .admin(admin.address())
                                .accessToken(FakeAdmin.TOKEN)
                                .logPath(directory)
                                .maxLogBytes(8 * MB)
                                .build(),
                        HandlerRegistry.builder()
                                .add("garble", context -> garble())
                                .add("shout", context -> shout(megabytes()))
                                .build())
                .start();
        client = new ExecutorClient(executor.address());
    }

    @AfterEach
    void stop() {
        executor.stop(Duration.ofSeconds(5));
        admin.close();
    }

    @Test
    void replacesInvalidTextInLogAndResult() throws Exception {
        client.run(trigger(1, "garble", 7));

        assertThat(admin.awaitCallback(7).handleMsg()).isEqualTo("nul \uFFFD, half \uFFFD.");
        String byLine = LogReply.from(client.post(ExecutorPaths.LOG, new LogRequest(7, TRIGGERED_AT, 1))
                        .payloadObject())
                .text();
        assertThat(byLine).endsWith("nul \uFFFD, half \uFFFD, \u001b[31mred\n");
        assertThat(piece(7, 0).text()).isEqualTo(byLine);
    }

    @Test
    void readsLogWithInvalidBytes() throws Exception {
        Path file = directory.resolve("2030-01-01/9.log");
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[] {'a', (byte) 0xFF, (byte) 0xFE, 0, 'b', (byte) 0xC3, '\n'});

        assertThat(piece(9, 0).text()).isEqualTo("a\uFFFD\uFFFD\0b\uFFFD\n");
        assertThat(piece(9, 0).to()).isEqualTo(7);
    }

    @Test
    void keepsEndOfOutputBeyondLimit() throws Exception {
        long started = System.nanoTime();
        client.run(trigger(1, "shout", 8));

        await().atMost(Duration.ofMinutes(2)).until(() -> !admin.callbacks().isEmpty());
        assertThat(admin.awaitCallback(8).handleMsg()).isEqualTo("shouted");

        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofMinutes(2));
        LogRange first = piece(8, 0);
        assertThat(first.size()).isGreaterThan((long) megabytes() * MB);
        assertThat(first.text()).contains("the first line\n");
        assertThat(piece(8, first.size() - 100).text()).endsWith("the last line\n");
        long onDisk = 0;
        try (var parts = Files.newDirectoryStream(directory.resolve("2030-01-01"), "8.log*")) {
            for (Path part : parts) {
                onDisk += Files.size(part);
            }
        }
        assertThat(onDisk).isLessThanOrEqualTo(8 * MB);
    }

    private static int megabytes() {
        return Boolean.getBoolean("orth.full") ? 1024 : 32;
    }

    private static RunResult garble() {
        OrthJobHelper.log("nul \0, half " + HALF_A_CHARACTER + ", \u001b[31mred");
        return RunResult.fail("nul \0, half " + HALF_A_CHARACTER + ".");
    }

    private static RunResult shout(int megabytes) {
        OrthJobHelper.log("the first line");
        String line = "!".repeat(MB / 64);
        for (int i = 0; i < megabytes * 64; i++) {
            OrthJobHelper.log(line);
        }
        OrthJobHelper.log("the last line");
        return RunResult.success("shouted");
    }

    private LogRange piece(long logId, long from) throws IOException, InterruptedException {
        return LogRange.from(client.post(ExecutorPaths.LOG_RANGE, new LogRangeRequest(logId, TRIGGERED_AT, from, 1_000))
                .payloadObject());
    }
}
