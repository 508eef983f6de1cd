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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class CallbackJournalTest {

    @TempDir
    Path directory;

    private final List<Long> handedOn = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger attempts = new AtomicInteger();
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
        CallbackJournal journal = new CallbackJournal(files, 20, batch -> {
            if (attempts.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("told to fail");
            }
            handOn(batch);
        });
        journal.start();

        for (long logId = 1; logId <= 10; logId++) {
            journal.append(new CallbackItem(logId, 0, 200, null, "me"));
        }

        assertThat(journal.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(handedOn).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(attempts).hasValueGreaterThan(2);
    }

    @Test
    void aJournalThatNeverWorksEndsAfterTheGrace() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        CallbackJournal journal = new CallbackJournal(files, 2, batch -> {
            failed.countDown();
            throw new LinkageError("told to fail");
        });
        journal.start();
        journal.append(new CallbackItem(1, 0, 200, null, "me"));
        failed.await();

        assertThat(journal.stop(Duration.ofMillis(1))).isFalse();

        await().until(() -> journal.stop(Duration.ofMillis(1)));
    }

    private void handOn(Batch batch) {
        batch.items().forEach(item -> handedOn.add(item.logId()));
    }
}
