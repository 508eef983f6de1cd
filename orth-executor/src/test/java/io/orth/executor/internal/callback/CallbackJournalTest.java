package io.orth.executor.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.CallbackItem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-executor")
@Timeout(60)
class CallbackJournalTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final List<Long> handedOn = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger batches = new AtomicInteger();
    private final AtomicInteger attempts = new AtomicInteger();
    private final DiskPace pace = new DiskPace(() -> 0);
    private CallbackFiles files;

    @BeforeEach
    void open() throws IOException {
        files = CallbackFiles.open(directory);
    }

    @AfterEach
    void close() {
        files.close();
    }

    @Test
    void anErrorNeitherEndsItNorLosesResults() throws Exception {
        CallbackJournal journal = new CallbackJournal(
                files,
                20,
                batch -> {
                    if (attempts.incrementAndGet() <= 2) {
                        throw new OutOfMemoryError("told to fail");
                    }
                    handOn(batch);
                },
                pace);
        journal.start();

        for (long logId = 1; logId <= 10; logId++) {
            journal.append(new CallbackItem(logId, 0, 200, null, "me"));
        }

        assertThat(journal.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(handedOn).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(attempts).hasValueGreaterThan(2);
    }

    @Test
    void stopsAfterGraceIfWritesNeverSucceed() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        CallbackJournal journal = new CallbackJournal(
                files,
                2,
                batch -> {
                    failed.countDown();
                    throw new LinkageError("told to fail");
                },
                pace);
        journal.start();
        journal.append(new CallbackItem(1, 0, 200, null, "me"));
        failed.await();

        assertThat(journal.stop(Duration.ofMillis(1))).isFalse();

        await().until(() -> journal.stop(Duration.ofMillis(1)));
    }

    /** Time stands still, so whatever would wait for more to come waits for ever. */
    @Test
    void writesSingleResultImmediately() throws Exception {
        CallbackJournal journal = new CallbackJournal(files, 20, this::handOn, pace);
        journal.start();

        for (long logId = 1; logId <= 3; logId++) {
            journal.append(result(logId, "alone"));
            await().until(() -> journal.size() == 0);
        }

        assertThat(batches).hasValue(3);
        assertThat(files.list(9, file -> true)).hasSize(3);
        journal.stop(PATIENCE);
    }

    @Test
    void resultsDuringAWriteShareTheNextFile() throws Exception {
        Held held = new Held();
        CallbackJournal journal = held.journal(CallbackJournal.CAPACITY);
        journal.append(result(1, "first"));
        held.awaitFirst();
        for (long logId = 2; logId <= Batch.MAX_ITEMS + 1; logId++) {
            journal.append(result(logId, "during"));
        }

        held.release();
        journal.stop(PATIENCE);

        assertThat(batches).hasValue(2);
        assertThat(handedOn).hasSize(Batch.MAX_ITEMS + 1).isSorted();
    }

    @Test
    void lanesWaitWhenMoreThanTheNextFileIsUnwritten() throws Exception {
        Held held = new Held();
        CallbackJournal journal = held.journal(CallbackJournal.CAPACITY);
        int tooMany = 3 * Batch.MAX_ITEMS;
        Thread lane = new Thread(() -> {
            for (long logId = 1; logId <= tooMany; logId++) {
                journal.append(result(logId, "x"));
            }
        });
        lane.start();
        held.awaitFirst();

        await().until(() -> lane.getState() == Thread.State.WAITING);
        assertThat(journal.size()).isEqualTo(CallbackJournal.CAPACITY);
        held.release();
        lane.join();
        journal.stop(PATIENCE);
        assertThat(handedOn).hasSize(tooMany).isSorted();
    }

    @Test
    void lanesWaitWhenThereIsMoreTextThanTheNextFileHolds() throws Exception {
        Held held = new Held();
        CallbackJournal journal = held.journal(CallbackJournal.CAPACITY);
        String text = "x".repeat(50_000);
        Thread lane = new Thread(() -> {
            for (long logId = 1; logId <= 30; logId++) {
                journal.append(result(logId, text));
            }
        });
        lane.start();
        held.awaitFirst();

        await().until(() -> lane.getState() == Thread.State.WAITING);
        assertThat(journal.size()).isEqualTo(CallbackJournal.CAPACITY_IN_CHARACTERS / (text.length() + 150));
        held.release();
        lane.join();
        journal.stop(PATIENCE);
        assertThat(handedOn).hasSize(30).isSorted();
    }

    @Test
    void measuresWriteDelayOfOldestResult() throws Exception {
        AtomicLong now = new AtomicLong();
        DiskPace timed = new DiskPace(now::get);
        Held held = new Held();
        CallbackJournal journal = held.journal(CallbackJournal.CAPACITY, timed);
        journal.append(result(1, "first"));
        held.awaitFirst();
        journal.append(result(2, "waits for the whole write"));
        now.addAndGet(DiskPace.PROMISED.toNanos());
        journal.append(result(3, "comes when it is almost over"));
        now.incrementAndGet();
        assertThat(timed.isLate()).isFalse();

        held.release();
        journal.stop(PATIENCE);

        assertThat(batches).hasValue(2);
        assertThat(timed.isLate()).isTrue();
    }

    /** Holds the journal's thread after its first write. */
    private final class Held {

        private final CountDownLatch first = new CountDownLatch(1);
        private final Semaphore released = new Semaphore(0);

        CallbackJournal journal(int capacity) {
            return journal(capacity, pace);
        }

        CallbackJournal journal(int capacity, DiskPace timed) {
            CallbackJournal journal = new CallbackJournal(files, capacity, this::handOnHeld, timed);
            journal.start();
            return journal;
        }

        private void handOnHeld(Batch batch) {
            first.countDown();
            released.acquireUninterruptibly();
            released.release();
            handOn(batch);
        }

        void awaitFirst() throws InterruptedException {
            first.await();
        }

        void release() {
            released.release();
        }
    }

    private static CallbackItem result(long logId, String text) {
        return new CallbackItem(logId, 0, 200, text, "me");
    }

    private void handOn(Batch batch) {
        batches.incrementAndGet();
        batch.items().forEach(item -> handedOn.add(item.logId()));
    }
}
