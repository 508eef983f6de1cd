package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.kernel.Loops;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Deletion by an admin with configured retentions. No two retentions are equal, and none is the default. */
@Tag("must-queues")
@Timeout(120)
class RetentionDbTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private static AdminServer.Running admin;
    private static JdbcClient jdbc;

    @BeforeAll
    static void start() {
        admin = AdminServer.start(
                db, "--orth.system-log.keep=2d", "--orth.queue.keep-reports=4d", "--orth.queue.keep-dead=6d");
        jdbc = admin.jdbc();
        add("insert into orth_queue (name) values ('emails')");
    }

    @AfterAll
    static void stop() {
        admin.close();
    }

    @Test
    void keepsSystemLogLinesForTheirRetention() {
        add("""
            insert into orth_system_log (at, level, message, node_id, number)
            values (now() - interval '3 days', 'INFO', 'old', 'gone', 1),
                   (now() - interval '1 day', 'INFO', 'young', 'gone', 2)
            """);

        wake("system-log-pruner");

        awaitLeft("select message from orth_system_log where node_id = 'gone'", "young");
    }

    @Test
    void keepsQueueThroughputForItsRetention() {
        add("""
            insert into orth_queue_report (queue_id, minute, pushed, claimed, put_back, done, failed, dead, discarded, dropped, revived,
                                           wait_millis, run_millis)
            select id, now() - make_interval(days => age), age, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
              from orth_queue
             cross join (values (5), (3)) as past(age)
            """);

        wake("queue-keeper");

        awaitLeft("select pushed from orth_queue_report where pushed > 0", "3");
    }

    @Test
    void keepsKeysAndPushesForTheirRetention() {
        add("""
            insert into orth_message_key (queue_id, key, message_id, until)
            select id, 'old', 1, now() - interval '1 second' from orth_queue
            union all
            select id, 'young', 2, now() + interval '1 hour' from orth_queue
            """);
        add("""
            insert into orth_push (id, queue_id, at)
            select 'old', id, now() - interval '25 hours' from orth_queue
            union all
            select 'young', id, now() - interval '23 hours' from orth_queue
            """);

        wake("queue-keeper");

        awaitLeft("select key from orth_message_key", "young");
        awaitLeft("select id from orth_push", "young");
    }

    @Test
    void keepsDeadLettersForTheirRetention() {
        add("""
            insert into orth_dead_letter (kind, id, queue_id, lane, seq, status_at, attempt, max_attempts, pushed_at, size, failures,
                                          cause, error, fingerprint, payload)
            select 'MESSAGE', age, id, 2, 3, now() - make_interval(days => age), 1, 1, now() - interval '8 days', 1, '[]', 'EXHAUSTED',
                   'no', 'print', age || ' days'
              from orth_queue
             cross join (values (7), (5)) as past(age)
            """);
        add("""
            insert into orth_dead_letter (kind, id, job_id, job_name, shard_index, shard_total, root_run, status_at, attempt,
                                          max_attempts, pushed_at, size, failures, cause, error, fingerprint, payload)
            select 'RUN', 10 + age, 1, 'job', 0, 1, 10 + age, now() - make_interval(days => age), 1,
                   1, now() - interval '8 days', 1, '[]', 'FAILED', 'no', 'print', age || ' days'
              from (values (7), (5)) as past(age)
            """);

        wake("dead-letter-keeper");

        awaitLeft(
                "select kind || ' of ' || payload from orth_dead_letter order by id",
                "MESSAGE of 5 days",
                "RUN of 5 days");
    }

    @Test
    void keepsEmptyGroupsAndFinishedOperationsForThirtyDays() {
        add("""
            insert into orth_dead_letter_group (kind, owner, fingerprint, letters, first_seen, last_seen, changed_at)
            select 'MESSAGE', id, age || ' days', 0, now() - interval '40 days', now() - interval '40 days',
                   now() - make_interval(days => age)
              from orth_queue
             cross join (values (31), (29)) as past(age)
            """);
        add("""
            insert into orth_operation (action, status, last_no, total, reason, created_by, finished_at)
            select 'RETRY', 'DONE', 1, 1, age || ' days', 'ann', now() - make_interval(days => age)
              from (values (31), (29)) as past(age)
            """);

        wake("dead-letter-sums");

        awaitLeft("select fingerprint from orth_dead_letter_group where fingerprint like '%days'", "29 days");
        awaitLeft("select reason from orth_operation", "29 days");
    }

    private static void add(String rows) {
        assertThat(jdbc.sql(rows).update()).isPositive();
    }

    private static void wake(String loop) {
        admin.context().getBean(Loops.class).wake(loop);
    }

    private static void awaitLeft(String query, String... rows) {
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(jdbc.sql(query).query(String.class).list()).containsExactly(rows));
    }
}
