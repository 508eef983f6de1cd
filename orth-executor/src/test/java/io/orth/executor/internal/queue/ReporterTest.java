package io.orth.executor.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.internal.queue.WorkLink.Claim;
import io.orth.executor.internal.queue.WorkLink.Ending;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Json;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Reply;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("must-kernel")
@Timeout(60)
class ReporterTest {

    private static final int MESSAGES = 100;
    private static final long BAD = 42;
    private static final Duration LIMIT = Duration.ofSeconds(50);

    private final MessageLedger ledger = new MessageLedger(2 * MESSAGES, 2 * MESSAGES);
    private final Set<Long> delivered = new ConcurrentSkipListSet<>();
    private final WorkLink link = new WorkLink((path, body) -> answerTo(body), "me", "mails", ledger);
    private volatile Set<Long> refused = Set.of(BAD);

    @Test
    void rejectedResultDoesNotBlockOthers() throws Exception {
        finishAll();
        Reporter reporter = new Reporter("mails", ledger, link, Duration.ofSeconds(5));
        reporter.thread().start();

        await().atMost(LIMIT).until(() -> delivered.size() == MESSAGES - 1);
        assertThat(delivered).doesNotContain(BAD);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(link.mostResultsWithAClaim())
                        .as("claims go alone while a result is refused")
                        .isZero());

        refused = Set.of();
        await().atMost(LIMIT).until(() -> delivered.size() == MESSAGES);
        await().atMost(LIMIT).until(() -> link.mostResultsWithAClaim() > 0 && ledger.untold() == 0);
        ledger.close();
        reporter.thread().join(LIMIT.toMillis());
        assertThat(reporter.thread().isAlive()).isFalse();
    }

    /** As many as make the sender believe that nothing is accepted, and before all others. */
    @Test
    void severalRejectedResultsDoNotBlockOthers() throws Exception {
        refused = LongStream.rangeClosed(1, 6).boxed().collect(Collectors.toSet());
        finishAll();
        Reporter reporter = new Reporter("mails", ledger, link, Duration.ofSeconds(5));
        reporter.thread().start();

        await().atMost(LIMIT).until(() -> delivered.size() == MESSAGES - refused.size());

        refused = Set.of();
        await().atMost(LIMIT).until(() -> delivered.size() == MESSAGES);
        ledger.close();
        reporter.thread().join(LIMIT.toMillis());
        assertThat(reporter.thread().isAlive()).isFalse();
    }

    @Test
    void reportsResultsRejectedWithClaimSeparately() throws Exception {
        finishAll();
        Claim claim = new Claim(0, "c", 1, 0, 1, Duration.ZERO);
        ledger.awaitSlots(0);

        Ending ending = link.exchange(claim, ledger.take(MESSAGES), Duration.ofSeconds(5))
                .ending();

        assertThat(ending).isEqualTo(Ending.REFUSED);
        assertThat(link.mostResultsWithAClaim()).isZero();
        assertThat(ledger.untold()).isEqualTo(MESSAGES);
    }

    private void finishAll() throws InterruptedException {
        int slots = ledger.awaitSlots(0).slots();
        ledger.answered(
                slots,
                LongStream.rangeClosed(1, MESSAGES)
                        .mapToObj(id -> new ClaimedMessage(id, 1, 3, id, 0, "x", 0, Map.of(), null))
                        .toList());
        for (long id = 1; id <= MESSAGES; id++) {
            ledger.finished(id, new MessageResult(id, id, 200, null, false, null, 0));
        }
    }

    private Outcome answerTo(byte[] body) {
        Set<Long> told = WorkRequest.from(Json.readObject(body)).results().stream()
                .map(MessageResult::id)
                .collect(Collectors.toSet());
        if (told.stream().anyMatch(refused::contains)) {
            return new Outcome.Refused("told to refuse one of these");
        }
        delivered.addAll(told);
        byte[] reply = Json.write(Reply.ok(new WorkReply(List.of(), List.of())));
        return new Outcome.Accepted(Json.readObject(reply));
    }
}
