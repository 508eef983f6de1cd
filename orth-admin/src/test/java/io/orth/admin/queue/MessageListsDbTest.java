package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.protocol.ClaimedMessage;
import io.orth.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lists of a few messages among very many: complete, and without reading the others. */
@Tag("must-queues")
class MessageListsDbTest {

    private static final int MANY = 30_000;

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private Queue queue;
    private List<Long> running;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        long executor = admin.executor(admin.group("group"), "ann", "http://127.0.0.1:9000")
                .executorId();
        admin.queues.queues.push(
                "emails",
                Stream.of(Lane.LOW, Lane.DEFAULT, Lane.LOW, Lane.DEFAULT)
                        .map(lane -> new MessageSpec(
                                "hello", lane, null, null, null, null, null, null, null, Map.of(), null, null))
                        .toList());
        running = admin.queues.driver.work("emails", List.of(), QueueFixture.claim(executor, 4)).messages().stream()
                .map(ClaimedMessage::id)
                .sorted()
                .toList();
        queue = admin.queues.queues.get("emails");
    }

    @Test
    void listsRunningMessagesBeforeBacklog() {
        waiting("now() + interval '1 minute'");

        assertThat(rowsRead(() -> running(0, 50))).isLessThan(MANY / 2);

        assertThat(running(0, 50)).isEqualTo(running);
        assertThat(running(0, 2)).isEqualTo(running.subList(0, 2));
        assertThat(running(running.get(1), 2)).isEqualTo(running.subList(2, 4));
        assertThat(running(running.get(3), 2)).isEmpty();
    }

    @Test
    void listsRunningMessagesBehindBacklog() {
        waiting("now() - interval '1 day'");

        assertThat(running(0, 50)).isEqualTo(running);
        assertThat(running(running.get(1), 1)).isEqualTo(running.subList(2, 3));
    }

    @Test
    void listsDiscardedAmongCompletedMessages() {
        long discarded = running.get(3) + MANY / 2;
        admin.jdbc
                .sql("""
                        insert into orth_message_history (id, queue_id, lane, status, seq, attempt, max_attempts, due_at, pushed_at,
                                                          finished_at, payload)
                        select n, :queue, 2, case when n = :discarded then 'DISCARDED' else 'DONE' end, 3, 1, 3, now(), now(), now(), ''
                          from generate_series(:first, :first + :many) n
                        """)
                .param("queue", queue.id())
                .param("discarded", discarded)
                .param("first", running.get(3))
                .param("many", MANY)
                .update();

        assertThat(rowsRead(this::discarded)).isLessThan(10);

        assertThat(discarded()).containsExactly(discarded);
    }

    private void waiting(String due) {
        admin.jdbc
                .sql("""
                        insert into orth_message (id, queue_id, lane, due_at, queued_at, status, seq, status_at, attempt, max_attempts,
                                                  pushed_at, size, payload)
                        select :first + n, :queue, 2, %s, now(), 'WAITING', 1, now(), 0, 3, now(), 5, 'hello'
                          from generate_series(1, :many) n
                        """.formatted(due))
                .param("queue", queue.id())
                .param("first", running.get(3))
                .param("many", MANY)
                .update();
    }

    private List<Long> running(long after, int limit) {
        return admin.queues.messages.open(queue, MessageStatus.RUNNING, after, limit).stream()
                .map(Message::id)
                .toList();
    }

    private List<Long> discarded() {
        return admin.queues.messages.ended(queue, MessageStatus.DISCARDED, Long.MAX_VALUE, 50).stream()
                .map(Message::id)
                .toList();
    }

    /** Number of messages the database read for the list, with the planner settings of the admin's pool. */
    private long rowsRead(Runnable list) {
        return admin.transactions.call(() -> {
            Stream.of("plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_bitmapscan = off")
                    .forEach(setting -> admin.jdbc.sql("set local " + setting).update());
            long before = rowsRead();
            list.run();
            return rowsRead() - before;
        });
    }

    private long rowsRead() {
        return admin.jdbc.sql("""
                        select sum(pg_stat_get_xact_tuples_fetched(oid))
                               + sum(pg_stat_get_xact_tuples_returned(oid)) filter (where relkind = 'r')
                          from pg_class
                         where relkind in ('r', 'i')
                           and relname like 'orth_message%'
                        """).query(Long.class).single();
    }
}
