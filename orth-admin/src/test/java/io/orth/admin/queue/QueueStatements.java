package io.orth.admin.queue;

import io.orth.admin.kernel.Backoff;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.PushReply.Pushed;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** All statements about messages, for tests of their plans. */
public final class QueueStatements {

    private static final String QUEUE = "plans";

    private QueueStatements() {}

    /** Inserts this many waiting, completed and dead messages into several queues. */
    public static void fill(JdbcClient jdbc, int messages) {
        jdbc.sql("insert into orth_queue (name) select 'q' || n from generate_series(1, 20) n")
                .update();
        jdbc.sql("insert into orth_queue (name) values ('plans')").update();
        jdbc.sql("""
                insert into orth_message (id, queue_id, lane, due_at, queued_at, status, seq, status_at, attempt, max_attempts,
                                          pushed_at, size, payload, unique_key, group_key)
                select n, 1 + n % 20, n % 4, now() + (n - 1000) * interval '1 second', now(), 'WAITING', 1, now(), 0, 3, now(), 5,
                       'hello', 'u' || n, case when n % 10 = 0 then 'g' || n end
                  from generate_series(1, :messages) n
                """).param("messages", messages).update();
        jdbc.sql("""
                insert into orth_message_key (queue_id, key, message_id, until)
                select queue_id, unique_key, id, 'infinity' from orth_message
                """).update();
        jdbc.sql("""
                insert into orth_message_group (queue_id, key, open)
                select queue_id, group_key, 1 from orth_message where group_key is not null
                """).update();
        jdbc.sql("""
                insert into orth_message_history (id, queue_id, lane, status, seq, attempt, max_attempts, due_at, pushed_at,
                                                  claimed_at, finished_at, payload)
                select n, 1 + n % 20, 2, 'DONE', 3, 1, 3, now(), now(), now(), now(), 'hello'
                  from generate_series(1, :messages) n
                """).param("messages", messages).update();
        jdbc.sql("""
                insert into orth_dead_letter (id, queue_id, lane, seq, status_at, attempt, max_attempts, pushed_at, size, failures,
                                              cause, error, fingerprint, payload)
                select :messages + n, 1 + n % 20, 2, 3, now() - n * interval '1 second', 3, 3, now(), 5, '[]', 'EXHAUSTED',
                       'error ' || n % 100, 'f' || n % 100, 'hello'
                  from generate_series(1, :messages) n
                """).param("messages", messages).update();
        jdbc.sql("""
                insert into orth_queue_report (queue_id, minute, pushed, claimed, put_back, done, failed, dead, discarded, dropped,
                                               revived, wait_millis, run_millis)
                select 1 + n % 20, date_trunc('minute', now()) - n / 20 * interval '1 minute', 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1
                  from generate_series(0, 99999) n
                """).update();
        jdbc.sql("""
                insert into orth_message_inbox (queue, messages, parked_at, error)
                select 'q' || n % 20, '[]', case when n % 4 = 0 then now() end, case when n % 4 = 0 then 'no' end
                  from generate_series(1, :messages) n
                """).param("messages", messages).update();
        jdbc.sql("""
                insert into orth_push (id, queue_id, at)
                select 'p' || n, 1 + n % 20, now() - n * interval '1 second' from generate_series(1, :messages) n
                """).param("messages", messages).update();
        jdbc.sql("vacuum analyze").update();
    }

    public static void exercise(QueueFixture fixture, JdbcClient jdbc, long executor, int size) {
        QueueDriver driver = fixture.driver;
        List<Pushed> pushed = fixture.queues.push(QUEUE, specs(size));
        Queue queue = fixture.queues.configure(
                QUEUE, new QueueSetup(null, 3, Backoff.DEFAULT, new Queue.Limits(1_000_000, 1_000_000), null));
        QueueDriver.Claim claim = QueueFixture.claim(executor, size);
        List<ClaimedMessage> claimed = driver.work(QUEUE, List.of(), claim).messages();
        driver.work(QUEUE, List.of(), claim);
        driver.given(QUEUE, claim);
        driver.push(QUEUE, null, specs(size), claim);
        driver.tryAgain(QUEUE, claim);
        driver.nextDue(List.of(QUEUE, "q1"));
        driver.inFlight(QUEUE, QueueDriver.Place.START, Duration.ofMinutes(1), size);
        int third = Math.max(1, claimed.size() / 3);
        driver.work(
                QUEUE,
                IntStream.range(0, claimed.size())
                        .mapToObj(i -> result(claimed.get(i), i / third))
                        .toList(),
                QueueFixture.claim(executor, 0));
        List<Message> dead = fixture.messages.dead(queue, Long.MAX_VALUE, size);
        dead.stream().findFirst().ifPresent(one -> driver.retry(QUEUE, Collections.singletonMap(one.id(), null)));
        driver.discard(QUEUE, List.of(), dead.stream().skip(1).map(Message::id).toList());
        driver.discard(QUEUE, pushed.stream().map(Pushed::id).toList(), List.of());
        fixture.messages.open(queue, MessageStatus.WAITING, 0, size);
        fixture.messages.open(queue, MessageStatus.RUNNING, 0, size);
        fixture.messages.ended(queue, MessageStatus.DONE, Long.MAX_VALUE, size);
        fixture.messages.ended(queue, MessageStatus.DISCARDED, Long.MAX_VALUE, size);
        fixture.messages.get(queue, pushed.get(0).id());
        fixture.messages.momentsOf(pushed.get(0).id());
        fixture.reports.figures(List.of(queue), Instant.now(), Duration.ofMinutes(5));
        fixture.reports.byMinute(queue, Instant.now().minusSeconds(3_600), Instant.now());
        fixture.reports.prune(Instant.now().minus(Duration.ofDays(7)), size);
        fixture.reports.fold(size);
        driver.waiting(QUEUE, 0, Instant.now(), size);
        driver.ready(List.of(QUEUE, "q1", "q2"), size);
        fixture.messages.depth(queue);
        exerciseInbox(fixture, jdbc, size);
    }

    private static void exerciseInbox(QueueFixture fixture, JdbcClient jdbc, int size) {
        fixture.queues.pushOnce(QUEUE, "push", specs(size));
        fixture.queues.pushOnce(QUEUE, "push", specs(size));
        PushRepository.expire(jdbc, size);
        InboxRepository inbox = new InboxRepository(jdbc);
        inbox.queueAfter("");
        inbox.lock(fixture.queues.get(QUEUE));
        List<InboxRepository.Entry> entries = inbox.take("q1", size, Long.MAX_VALUE);
        List<Long> ids = entries.stream().map(InboxRepository.Entry::id).toList();
        inbox.park(ids.stream().map(id -> new InboxRepository.Refused(id, "no")).toList());
        inbox.delete(ids);
        jdbc.sql("""
                insert into orth_message_inbox (queue, messages, parked_at, error)
                select 'q1', '[]', now(), 'no' from generate_series(1, 2)
                """).update();
        fixture.inbox.retry(fixture.inbox.parked(0, size).get(0).id());
        fixture.inbox.discard(fixture.inbox.parked(0, size).get(0).id());
    }

    /** One third of the messages is completed, one fails, and one fails with a non-retryable error. */
    private static MessageResult result(ClaimedMessage message, int kind) {
        return new MessageResult(message.id(), message.logId(), kind == 0 ? 200 : 500, "no", kind > 1, null, 1);
    }

    private static List<MessageSpec> specs(int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> new MessageSpec(
                        "hello",
                        Lane.DEFAULT,
                        null,
                        null,
                        "plan-" + i,
                        null,
                        i % 2 == 0 ? "plan-" + i : null,
                        null,
                        null,
                        Map.of(),
                        null,
                        null))
                .toList();
    }
}
