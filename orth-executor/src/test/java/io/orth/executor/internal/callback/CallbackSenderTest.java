package io.orth.executor.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pass by pass, without a thread. */
class CallbackSenderTest {

    private static final Duration RETRY = Duration.ofSeconds(1);

    @TempDir
    Path directory;

    private final SendQueue queue = new SendQueue(1_000_000, 10);
    private CallbackFiles files;
    private long refused;
    private Outcome answer = new Outcome.Accepted();

    @BeforeEach
    void open() throws IOException {
        files = CallbackFiles.open(directory);
    }

    @AfterEach
    void close() {
        files.close();
    }

    @Test
    void backsOffOnFailuresAndResetsAfterSuccess() throws Exception {
        CallbackSender sender = sender(() -> {});
        queue.add(batch(1));

        answer = new Outcome.Unreachable("HTTP status 503");
        assertRests(restsOf(sender, 5), 200, 400, 800, 1_000, 1_000);
        assertThat(sender.isResting()).isTrue();

        answer = new Outcome.Accepted();
        assertThat(restsOf(sender, 2)).containsExactly(0L, 1_000L);
        assertThat(sender.isResting()).as("idle, so that new results wake it").isFalse();

        queue.add(batch(2));
        answer = new Outcome.Unreachable("HTTP status 503");
        assertRests(restsOf(sender, 1), 200);
    }

    @Test
    void leftoversAreDeliveredWhenNoFileFromBeforeTheStartIsLeft() throws Exception {
        for (long logId = 1; logId <= 25; logId++) {
            writtenAt(batch(logId), logId);
        }
        AtomicInteger told = new AtomicInteger();
        CallbackSender sender = sender(told::incrementAndGet);
        queue.add(writtenAt(batch(100), 26));

        answer = new Outcome.Unreachable("told to be away");
        sender.run();
        assertThat(sender.leftoversDelivered()).isFalse();

        answer = new Outcome.Accepted();
        while (sender.run().isZero()) {
            assertThat(told).hasValue(sender.leftoversDelivered() ? 1 : 0);
        }
        assertThat(sender.leftoversDelivered()).isTrue();
        assertThat(told).hasValue(1);
        assertThat(files.list(1, file -> true)).isEmpty();
    }

    @Test
    void youngerFilesAreNoLeftovers() throws Exception {
        Batch before = writtenAt(batch(1), 1);
        CallbackSender sender = sender(() -> {});
        refused = 2;
        queue.add(writtenAt(batch(2), 2));

        sender.run();

        assertThat(sender.leftoversDelivered()).isTrue();
        assertThat(before.file()).doesNotExist();
        assertThat(files.list(2, file -> true)).hasSize(1);
    }

    @Test
    void withoutFilesAtTheStartNothingIsLeftOver() throws Exception {
        CallbackSender sender = sender(() -> {});

        assertThat(sender.leftoversDelivered()).isTrue();
    }

    private CallbackSender sender(Runnable onLeftoversDelivered) throws IOException {
        return new CallbackSender(files, queue, (path, body) -> answerTo(body), RETRY, onLeftoversDelivered);
    }

    private Outcome answerTo(byte[] body) {
        boolean bad = Json.readArray(body).stream().map(CallbackItem::from).anyMatch(item -> item.logId() == refused);
        return bad ? new Outcome.Refused("told to refuse one of these") : answer;
    }

    /** As if the disk had written it so many seconds after the epoch. */
    private static Batch writtenAt(Batch batch, long second) throws IOException {
        Files.setLastModifiedTime(batch.file(), FileTime.from(Instant.ofEpochSecond(second)));
        return batch;
    }

    private Batch batch(long logId) throws IOException {
        List<CallbackItem> items = List.of(new CallbackItem(logId, 0, 200, null, "me"));
        return new Batch(files.write(items), items);
    }

    /** Each is shorter by up to a quarter, by chance. */
    private static void assertRests(List<Long> rests, long... expected) {
        assertThat(rests).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(rests.get(i)).isBetween(expected[i] * 3 / 4, expected[i]);
        }
    }

    private static List<Long> restsOf(CallbackSender sender, int passes) throws Exception {
        List<Long> rests = new ArrayList<>();
        for (int pass = 0; pass < passes; pass++) {
            rests.add(sender.run().toMillis());
        }
        return rests;
    }
}
