package io.orth.executor.internal.callback;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static io.orth.executor.Triggers.runOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLog;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.executor.internal.transport.AdminClient;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A full disk: a small mounted file system if mounting is allowed, otherwise a deleted directory. */
@Tag("must-executor")
@Timeout(60)
class FullDiskTest {

    @TempDir
    Path temporary;

    private final FakeAdmin admin = FakeAdmin.start();
    private final AdminClient client =
            new AdminClient(List.of(URI.create(admin.address() + "/")), FakeAdmin.TOKEN, Duration.ofSeconds(20));
    private volatile boolean adminAway;
    private volatile int offeredInVain;
    private Path disk;
    private Path directory;
    private boolean mounted;
    private Callbacks callbacks;

    @BeforeEach
    void start() throws Exception {
        disk = Files.createDirectory(temporary.resolve("disk"));
        mounted = run("mount", "-t", "tmpfs", "-o", "size=256k", "orth-test", disk.toString());
        directory = disk.resolve("callbacklog");
        callbacks = new Callbacks(
                directory,
                "me",
                this::post,
                new Callbacks.Settings(10_000, 1_000_000, Duration.ofMillis(100)),
                () -> {});
        callbacks.start();
    }

    @AfterEach
    void stop() throws Exception {
        callbacks.stop(Duration.ofSeconds(1));
        client.close();
        admin.close();
        if (mounted) {
            assertThat(run("umount", disk.toString())).isTrue();
        }
    }

    @Test
    void deliversResultsDespiteFullDisk() throws Exception {
        fill();

        LongStream.rangeClosed(1, 50).forEach(this::finish);

        admin.awaitCallbacks(50);
        assertThat(admin.callbacks()).extracting(CallbackItem::logId).doesNotHaveDuplicates();
    }

    @Test
    void writesPendingResultsOnceDiskHasSpace() throws Exception {
        fill();
        admin.failNext(Integer.MAX_VALUE);
        LongStream.rangeClosed(1, 50).forEach(this::finish);
        admin.awaitRequests(3);
        assertThat(onDisk()).isZero();

        makeRoom();

        await().until(() -> onDisk() == 50);
        admin.failNext(0);
        admin.awaitCallbacks(50);
        await().until(() -> onDisk() == 0);
    }

    @Test
    void writesPendingResultsOnceDiskHasSpaceWithoutAdmin() throws Exception {
        fill();
        adminAway = true;
        LongStream.rangeClosed(1, 50).forEach(this::finish);
        await().until(() -> offeredInVain == 50);
        assertThat(onDisk()).isZero();

        makeRoom();

        await().until(() -> onDisk() == 50);
        adminAway = false;
        admin.awaitCallbacks(50);
        await().until(() -> onDisk() == 0);
        assertThat(admin.callbacks()).extracting(CallbackItem::logId).doesNotHaveDuplicates();
    }

    @Test
    void continuesLogOnceDiskHasSpace() throws Exception {
        assumeTrue(mounted, "needs the right to mount");
        try (RunLog log = new RunLogFiles(disk, Clock.systemUTC(), 1_000_000).open(7, TRIGGERED_AT)) {
            log.line("before");
            fill();
            log.line("lost " + "x".repeat(10_000));
            makeRoom();
            log.line("after");
        }

        assertThat(Files.readString(disk.resolve("2030-01-01/7.log")))
                .contains("before\n")
                .contains("[1 lines are missing here: they could not be written]\n")
                .endsWith("after\n");
    }

    private Outcome post(String path, byte[] body) throws InterruptedException {
        if (adminAway) {
            offeredInVain = Json.readArray(body).size();
            return new Outcome.Unreachable("told to be away");
        }
        return client.post(path, body);
    }

    private void fill() throws IOException {
        if (mounted) {
            try (var filler = Files.newOutputStream(disk.resolve("filler"))) {
                for (int i = 0; i < 1_000; i++) {
                    filler.write(new byte[1_024]);
                }
            } catch (IOException full) {
                return;
            }
            throw new IllegalStateException("the disk is larger than it should be");
        }
        Files.move(directory, disk.resolve("elsewhere"));
    }

    private void makeRoom() throws IOException {
        if (mounted) {
            Files.delete(disk.resolve("filler"));
        } else {
            Files.move(disk.resolve("elsewhere"), directory);
        }
    }

    private void finish(long logId) {
        callbacks.finished(runOf(logId), RunResult.success("done"), Duration.ZERO);
    }

    /** How many results are in files. */
    private long onDisk() throws IOException {
        if (Files.notExists(directory)) {
            return 0;
        }
        long count = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(any -> any.toString().endsWith(".log")).toList()) {
                count += CallbackRecords.read(Files.readAllBytes(file)).size();
            }
        }
        return count;
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
