package io.orth.executor.internal.callback;

import static io.orth.executor.Triggers.runOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.RunResult;
import io.orth.executor.internal.transport.AdminClient;
import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.CallbackItem;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-executor")
@Timeout(60)
class CallbacksTest {

    private static final Duration RETRY = Duration.ofMillis(100);

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private final AdminClient client =
            new AdminClient(List.of(URI.create(admin.address() + "/")), FakeAdmin.TOKEN, Duration.ofSeconds(20));
    private final CountDownLatch leftoversDelivered = new CountDownLatch(1);
    private Callbacks callbacks;

    @AfterEach
    void stop() throws Exception {
        if (callbacks != null) {
            callbacks.stop(Duration.ofSeconds(1));
        }
        client.close();
        admin.close();
    }

    @Test
    void keepsResultOnDiskUntilItIsAcknowledged() throws Exception {
        start(1_000_000);
        admin.hang();

        finish(1);
        admin.awaitRequests(1);
        assertThat(files()).hasSize(1);

        admin.resume();
        admin.awaitCallback(1);
        await().until(() -> files().isEmpty());
    }

    @Test
    void resultsThatWaitTravelTogether() throws Exception {
        start(1_000_000);
        admin.hang();
        finish(1);
        admin.awaitRequests(1);
        LongStream.rangeClosed(2, 300).forEach(this::finish);
        await().until(() -> onDisk() == 300);

        admin.resume();
        admin.awaitCallbacks(300);

        assertThat(admin.callbacks()).extracting(CallbackItem::logId).doesNotHaveDuplicates();
        assertThat(admin.callbackBatches()).hasSizeLessThan(10);
        await().until(() -> files().isEmpty());
    }

    @Test
    void resultsSurviveAnAdminThatFails() throws Exception {
        start(1_000_000);
        admin.failNext(20);

        LongStream.rangeClosed(1, 5).forEach(this::finish);

        admin.awaitCallbacks(5);
        await().until(() -> files().isEmpty());
        assertThat(admin.callbacks()).extracting(CallbackItem::logId).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void replyOfAdminEndsBackoff() throws Exception {
        AtomicInteger failuresLeft = new AtomicInteger(12);
        Admins admins = (path, body) -> failuresLeft.getAndDecrement() > 0
                ? new Outcome.Unreachable("told to be away")
                : client.post(path, body);
        callbacks = new Callbacks(
                directory, "me", admins, new Callbacks.Settings(10, 1_000, Duration.ofHours(1)), () -> {});
        callbacks.start();
        finish(1);

        // Left to itself, the sender would take minutes to try that often.
        await().until(() -> {
            callbacks.adminAnswered();
            return !admin.callbacks().isEmpty();
        });
    }

    @Test
    void readsResultsBeyondMemoryLimitFromDisk() throws Exception {
        start(500);
        admin.hang();
        for (long logId = 1; logId <= 50; logId++) {
            finish(logId);
            long written = logId;
            await().pollInterval(Duration.ofMillis(1)).until(() -> onDisk() == written);
        }
        assertThat(files()).hasSizeGreaterThan(10);

        admin.resume();
        admin.awaitCallbacks(50);

        await().until(() -> files().isEmpty());
        assertThat(admin.callbacks()).extracting(CallbackItem::logId).containsOnlyOnceElementsOf(ids(50));
    }

    @Test
    void rejectedResultsDoNotBlockOthers() throws Exception {
        start(1_000_000);
        admin.refuseCallbacks(item -> item.logId() == 7 || item.logId() == 60);
        admin.hang();
        finish(1_000);
        admin.awaitRequests(1);
        LongStream.rangeClosed(1, 100).forEach(this::finish);
        await().until(() -> onDisk() == 101);

        admin.resume();
        admin.awaitCallbacks(99);

        await().until(() -> onDisk() == 2);
        assertThat(admin.callbacks()).extracting(CallbackItem::logId).doesNotContain(7L, 60L);
        finish(2_000);
        admin.awaitCallback(2_000);
        admin.refuseCallbacks(item -> false);
        admin.awaitCallback(7);
        admin.awaitCallback(60);
        await().until(() -> files().isEmpty());
    }

    @Test
    void leftoversComeFirstAndDamagedOnesAreSetAside() throws Exception {
        try (CallbackFiles before = CallbackFiles.open(directory)) {
            before.write(List.of(new CallbackItem(1, 1, 200, "left over", "predecessor")));
            Path damaged = before.write(List.of(new CallbackItem(2, 2, 200, "damaged", "predecessor")));
            Files.writeString(damaged, "[]");
        }

        start(1_000_000);
        assertThat(admin.awaitCallback(1).instanceId()).isEqualTo("predecessor");
        leftoversDelivered.await();

        assertThat(callbacks.leftoversDelivered()).isTrue();
        assertThat(files()).isEmpty();
        assertThat(directory).isDirectoryContaining("glob:**.log.bad");
    }

    @Test
    void leftoversAreNotDeliveredBeforeTheAnswer() throws Exception {
        try (CallbackFiles before = CallbackFiles.open(directory)) {
            before.write(List.of(new CallbackItem(1, 1, 200, null, "predecessor")));
        }
        admin.hang();

        start(1_000_000);
        admin.awaitRequests(1);

        assertThat(callbacks.leftoversDelivered()).isFalse();
        admin.resume();
        leftoversDelivered.await();
    }

    @Test
    void stopDeliversReportedResults() throws Exception {
        start(1_000_000);
        LongStream.rangeClosed(1, 1_000).forEach(this::finish);

        callbacks.stop(Duration.ofSeconds(20));
        callbacks = null;

        assertThat(admin.callbacks()).hasSize(1_000);
        assertThat(files()).isEmpty();
    }

    @Test
    void stoppingWithoutAnAdminLeavesTheResultsOnDisk() throws Exception {
        start(1_000_000);
        admin.close();
        LongStream.rangeClosed(1, 10).forEach(this::finish);

        callbacks.stop(Duration.ofSeconds(5));
        callbacks = null;

        assertThat(onDisk()).isEqualTo(10);
    }

    @Test
    @Timeout(45)
    void stopDoesNotWaitForDiskSpace() throws Exception {
        Admins nobody = (path, body) -> new Outcome.Unreachable("told to be away");
        callbacks = new Callbacks(directory, "me", nobody, new Callbacks.Settings(1, 1, RETRY), () -> {});
        callbacks.start();
        Files.delete(directory.resolve(".lock"));
        Files.delete(directory);
        Thread lane = new Thread(() -> LongStream.rangeClosed(1, 3).forEach(this::finish));
        lane.start();
        await().pollDelay(Duration.ZERO).until(CallbacksTest::journalWaitsForRoom);

        callbacks.stop(Duration.ofSeconds(60));
        callbacks = null;

        lane.join();
        Files.createDirectory(directory);
    }

    @Test
    void replacesTextThatDatabasesReject() throws Exception {
        start(1_000_000);

        callbacks.finished(runOf(1), RunResult.fail("a\0b\uD800c"), Duration.ZERO);

        assertThat(admin.awaitCallback(1).handleMsg()).isEqualTo("a\uFFFDb\uFFFDc");
    }

    private static boolean journalWaitsForRoom() {
        return Thread.getAllStackTraces().values().stream()
                .anyMatch(stack -> Arrays.stream(stack)
                                .anyMatch(frame -> frame.getClassName().equals(SendQueue.class.getName()))
                        && Arrays.stream(stack)
                                .anyMatch(frame -> frame.getMethodName().equals("awaitUninterruptibly")));
    }

    private void start(int queuedCharacters) throws IOException {
        callbacks = new Callbacks(
                directory,
                "me",
                client,
                new Callbacks.Settings(10_000, queuedCharacters, RETRY),
                leftoversDelivered::countDown);
        callbacks.start();
    }

    private void finish(long logId) {
        callbacks.finished(runOf(logId), RunResult.success(), Duration.ZERO);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        }
    }

    /** How many results the files hold. */
    private long onDisk() throws IOException {
        long count = 0;
        for (Path file : files()) {
            count += Files.readString(file).split("\"logId\"", -1).length - 1;
        }
        return count;
    }

    private static List<Long> ids(int count) {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }
}
