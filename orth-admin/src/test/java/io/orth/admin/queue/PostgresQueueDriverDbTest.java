package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.deadletter.DeadLetterFixture;
import io.orth.admin.deadletter.DeadLetterKeeper;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.queue.QueueDriver.Released;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Registration;
import io.orth.protocol.StateTransition;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresQueueDriverDbTest extends QueueDriverConformance {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private ExecutorGroup group;

    @Override
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("mailers");
        ann = admin.executor(group, "ann", "http://127.0.0.1:1001").executorId();
        bob = admin.executor(group, "bob", "http://127.0.0.1:1002").executorId();
        driver = admin.queues.driver;
        queues = admin.queues.queues;
        reader = admin.queues.messages;
    }

    @Test
    void discardsDeadLettersAfterRetention() {
        long old = dead("old", null);
        long young = dead("young", null);
        admin.jdbc
                .sql("update orth_dead_letter set status_at = now() - interval '181 days' where id = :id")
                .param("id", old)
                .update();

        DeadLetterKeeper keeper = new DeadLetterFixture(admin).keeper;
        assertThat(keeper.expire(Duration.ofDays(180), 10, () -> false)).isEqualTo(Pass.DRAINED);
        assertThat(message(old).status()).as("another node has the lease").isEqualTo(MessageStatus.DEAD);

        assertThat(keeper.expire(Duration.ofDays(180), 10, () -> true)).isEqualTo(Pass.DRAINED);

        assertThat(message(old).status()).isEqualTo(MessageStatus.DISCARDED);
        assertThat(message(young).status()).isEqualTo(MessageStatus.DEAD);
    }

    @Test
    void discardsOtherDeadLettersIfSomeFail() {
        List<Long> dead = Stream.of("a", "b", "c", "d", "e")
                .map(payload -> dead(payload, null))
                .toList();
        admin.jdbc
                .sql("update orth_dead_letter set status_at = now() - interval '181 days'")
                .update();
        admin.jdbc.sql("""
                        create function refuse_two() returns trigger language plpgsql as $$
                        begin
                            if old.payload in ('a', 'b') then raise exception 'not these'; end if;
                            return old;
                        end $$
                        """).update();
        admin.jdbc
                .sql(
                        "create trigger refuse_two before delete on orth_dead_letter for each row execute function refuse_two()")
                .update();
        try {
            DeadLetterKeeper keeper = new DeadLetterFixture(admin).keeper;
            List<Pass> passes = IntStream.range(0, 3)
                    .mapToObj(i -> keeper.expire(Duration.ofDays(180), 2, () -> true))
                    .toList();

            assertThat(passes).containsExactly(Pass.MORE, Pass.MORE, Pass.DRAINED);
        } finally {
            admin.jdbc
                    .sql("drop trigger refuse_two on orth_dead_letter; drop function refuse_two")
                    .update();
        }
        assertThat(dead)
                .extracting(id -> message(id).status().name())
                .containsExactly("DEAD", "DEAD", "DISCARDED", "DISCARDED", "DISCARDED");
    }

    /** Transitions of one batch share a journal entry, whatever their sequence numbers. */
    @Test
    void eachTimelineHasItsOwnSequence() {
        long returned = push(spec("returned")).get(0);
        report(ann, givenBack(claim(ann, 1).get(0)));
        long fresh = push(spec("fresh")).get(0);

        assertThat(claim(ann, 2)).hasSize(2);

        assertThat(admin.journal.list(EntityKind.MESSAGE, returned))
                .extracting(StateTransition::sequence)
                .containsExactly(1, 2, 3, 4);
        assertThat(admin.journal.list(EntityKind.MESSAGE, fresh))
                .extracting(StateTransition::sequence)
                .containsExactly(1, 2);
    }

    @Override
    List<Long> revoked(long executor) {
        return new Revocations(admin.jdbc).of(executor);
    }

    /** The reply to its heartbeat listed the claims revoked until then, and it starts messages again. */
    @Test
    @Tag("must-first")
    void takesNothingFromAnExecutorThatCameBackDuringTheRelease() {
        push(spec("first"), spec("second"));
        List<ClaimedMessage> claimed = claim(ann, 2);
        goes(ann);
        admin.jdbc.sql("""
                        create function come_back() returns trigger language plpgsql as $$
                        begin
                            update orth_executor set status = 'ONLINE' where id = old.executor_id;
                            return null;
                        end $$
                        """).update();
        admin.jdbc
                .sql(
                        "create trigger come_back after update on orth_message for each row when (old.payload = 'first') execute function come_back()")
                .update();
        try {
            driver.release(1, Duration.ZERO, Duration.ZERO);
        } finally {
            admin.jdbc
                    .sql("drop trigger come_back on orth_message; drop function come_back")
                    .update();
        }

        assertThat(revoked(ann)).containsExactly(claimed.get(0).logId());
        assertThat(message(claimed.get(1).id()).status()).isEqualTo(MessageStatus.RUNNING);
        assertThat(report(ann, done(claimed.get(1))).refused()).isEmpty();
    }

    @Test
    @Tag("must-first")
    void listsRevocationsUntilAcknowledgedOrExpired() {
        push(spec("a"), spec("b"), spec("c"));
        List<Long> logs =
                claim(ann, 3).stream().map(ClaimedMessage::logId).sorted().toList();
        goes(ann);
        driver.release(100, Duration.ZERO, Duration.ZERO);
        Revocations revocations = new Revocations(admin.jdbc);

        revocations.acknowledge(bob, logs);
        assertThat(revoked(ann)).as("acknowledged by another executor").isEqualTo(logs);
        revocations.acknowledge(ann, List.of(logs.get(0), 4711L));
        assertThat(revoked(ann)).isEqualTo(logs.subList(1, 3));

        assertThat(revocations.prune(10)).isZero();
        admin.jdbc
                .sql("update orth_revocation set revoked_at = revoked_at - interval '25 hours' where log_id = :log")
                .param("log", logs.get(1))
                .update();
        assertThat(revocations.prune(10)).isEqualTo(1);
        assertThat(revoked(ann)).isEqualTo(logs.subList(2, 3));
    }

    /** A claim that waited behind a pause has read the executor's earlier status. */
    @Test
    void releasesMessagesClaimedDuringRelease() {
        push(spec("held"));
        long held = claim(ann, 1).get(0).id();
        long late = push(spec("late")).get(0);
        goes(ann);
        admin.jdbc.sql("""
                        create function claim_late() returns trigger language plpgsql as $$
                        begin
                            update orth_message
                               set status = 'RUNNING', attempt = 1, executor_id = old.executor_id, log_id = 1
                             where payload = 'late' and status = 'WAITING';
                            return null;
                        end $$
                        """).update();
        admin.jdbc
                .sql(
                        "create trigger claim_late after update on orth_message for each row when (old.payload = 'held') execute function claim_late()")
                .update();
        try {
            driver.release(10, Duration.ZERO, Duration.ZERO);
        } finally {
            admin.jdbc
                    .sql("drop trigger claim_late on orth_message; drop function claim_late")
                    .update();
        }
        assertThat(message(held).status()).isEqualTo(MessageStatus.WAITING);
        assertThat(message(late).status()).isEqualTo(MessageStatus.RUNNING);

        driver.release(10, Duration.ZERO, Duration.ZERO);

        assertThat(message(late).status()).isEqualTo(MessageStatus.WAITING);
    }

    /** The other messages of the same executor are released too. */
    @Test
    void releasesOtherMessagesIfOneFails() {
        List<Long> ofAnn = push(spec("before"), spec("poison"), spec("behind"));
        claim(ann, 3);
        push(spec("b"));
        claim(bob, 1);
        goes(ann);
        goes(bob);
        admin.jdbc.sql("""
                        create function refuse_one() returns trigger language plpgsql as $$
                        begin
                            if new.payload = 'poison' then raise exception 'not this'; end if;
                            return new;
                        end $$
                        """).update();
        admin.jdbc
                .sql(
                        "create trigger refuse_one before update on orth_message for each row execute function refuse_one()")
                .update();
        try {
            assertThat(driver.release(100, Duration.ZERO, Duration.ZERO))
                    .containsExactlyInAnyOrder(new Released(QUEUE, "ann", 2), new Released(QUEUE, "bob", 1));
            assertThat(ofAnn)
                    .extracting(id -> message(id).status())
                    .containsExactly(MessageStatus.WAITING, MessageStatus.RUNNING, MessageStatus.WAITING);
        } finally {
            admin.jdbc
                    .sql("drop trigger refuse_one on orth_message; drop function refuse_one")
                    .update();
        }
        assertThat(driver.release(100, Duration.ZERO, Duration.ZERO)).containsExactly(new Released(QUEUE, "ann", 1));
    }

    @Test
    @Tag("must-kernel")
    void awaitsResultsOfDeregisteredExecutorForGracePeriod() {
        Duration grace = Duration.ofSeconds(20);
        push(spec("a"), spec("b"));
        List<ClaimedMessage> claimed = claim(ann, 2);
        goes(ann);

        assertThat(driver.release(10, grace, Duration.ZERO)).isEmpty();
        assertThat(report(ann, done(claimed.get(0))).refused()).isEmpty();
        admin.jdbc
                .sql("update orth_executor set status_at = status_at - interval '21 seconds' where id = :id")
                .param("id", ann)
                .update();

        assertThat(driver.release(10, grace, Duration.ZERO)).containsExactly(new Released(QUEUE, "ann", 1));
        assertThat(message(claimed.get(1).id()).status()).isEqualTo(MessageStatus.WAITING);
    }

    @Test
    void releasesMessageClaimedWhileExecutorDies() throws Exception {
        push(spec("before"));
        report(ann, done(claim(ann, 1).get(0)));
        push(spec("a").backoff(AT_ONCE));
        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        CompletableFuture<Void> claiming = CompletableFuture.runAsync(() -> admin.transactions.run(() -> {
            assertThat(claim(ann, 5)).hasSize(1);
            claimed.countDown();
            awaitUninterruptibly(gone);
        }));
        claimed.await();
        goes(ann);
        CompletableFuture<List<QueueDriver.Released>> releasing =
                CompletableFuture.supplyAsync(() -> driver.release(10, Duration.ZERO, Duration.ZERO));
        awaitBlockedStatement();
        gone.countDown();
        claiming.get(30, TimeUnit.SECONDS);
        releasing.get(30, TimeUnit.SECONDS);

        driver.release(10, Duration.ZERO, Duration.ZERO);

        assertThat(claim(bob, 5)).extracting(ClaimedMessage::attempt).containsExactly(2);
    }

    private void awaitBlockedStatement() {
        Awaitility.await()
                .until(() -> admin.jdbc
                                .sql(
                                        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                                .query(Integer.class)
                                .single()
                        == 1);
    }

    @Test
    void discardsMessageUnblockedMeanwhile() throws Exception {
        List<Long> pushed = push(spec("a1").groupKey("a"), spec("a2").groupKey("a"));
        ClaimedMessage first = claim(ann, 5).get(0);
        CountDownLatch unblocked = new CountDownLatch(1);
        CountDownLatch discarding = new CountDownLatch(1);
        CompletableFuture<Void> ending = CompletableFuture.runAsync(() -> admin.transactions.run(() -> {
            report(ann, done(first));
            unblocked.countDown();
            awaitUninterruptibly(discarding);
        }));
        unblocked.await();

        CompletableFuture<Set<Long>> discarded =
                CompletableFuture.supplyAsync(() -> driver.discard(QUEUE, List.of(pushed.get(1)), List.of()));
        awaitBlockedStatement();
        discarding.countDown();
        ending.get(30, TimeUnit.SECONDS);

        assertThat(discarded.get(30, TimeUnit.SECONDS)).containsExactly(pushed.get(1));
        assertThat(message(pushed.get(1)).status()).isEqualTo(MessageStatus.DISCARDED);
    }

    @Test
    void rejectsResultOfMessageReleasedMeanwhile() throws Exception {
        long id = push(spec("a")).get(0);
        ClaimedMessage message = claim(ann, 1).get(0);
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch reporting = new CountDownLatch(1);
        CompletableFuture<Void> taking = CompletableFuture.runAsync(() -> admin.transactions.run(() -> {
            report(ann, givenBack(message));
            taken.countDown();
            awaitUninterruptibly(reporting);
        }));
        taken.await();

        CompletableFuture<List<Long>> refused =
                CompletableFuture.supplyAsync(() -> report(ann, done(message)).refused());
        awaitBlockedStatement();
        reporting.countDown();
        taking.get(30, TimeUnit.SECONDS);

        assertThat(refused.get(30, TimeUnit.SECONDS)).containsExactly(id);
        assertThat(message(id).status()).isEqualTo(MessageStatus.WAITING);
    }

    /** Analyzing a column that no plan uses wastes CPU time. */
    @Test
    void analyzesOnlyKeyColumnsOfMessages() {
        admin.jdbc
                .sql("select orth_add_message_day('2031-05-05'), orth_add_transition_pack_day('2031-05-05')")
                .query((row, n) -> row.getBoolean(1))
                .single();

        assertThat(admin.jdbc.sql("""
                        select a.attrelid::regclass || '.' || a.attname
                          from pg_attribute a
                          join pg_class c on c.oid = a.attrelid
                         where c.relkind = 'r'
                           and c.relname ~ '^orth_(message|message_history_.*|transition_pack_.*)$'
                           and a.attnum > 0
                           and a.attstattarget is distinct from 0
                        """).query(String.class).list())
                .contains("orth_message.due_at", "orth_message_history_20310505.id", "orth_transition_pack_20310505.at")
                .noneMatch(column -> column.matches(".*(payload|status|entity_ids|seqs|millis)"));
    }

    @Test
    void freesKeysAndGroupsDuringConcurrentPush() throws Exception {
        push(spec("a1").groupKey("a").uniqueKey("u"));
        ClaimedMessage first = claim(ann, 5).get(0);
        CountDownLatch pushed = new CountDownLatch(1);
        CountDownLatch ending = new CountDownLatch(1);
        CompletableFuture<Void> pushing = CompletableFuture.runAsync(() -> admin.transactions.run(() -> {
            push(spec("a2").groupKey("a"));
            push(spec("again").uniqueKey("u"));
            pushed.countDown();
            awaitUninterruptibly(ending);
        }));
        pushed.await();

        CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> report(ann, done(first)));
        awaitBlockedStatement();
        ending.countDown();
        pushing.get(30, TimeUnit.SECONDS);
        ended.get(30, TimeUnit.SECONDS);

        ClaimedMessage second = claim(ann, 5).get(0);
        assertThat(second.payload()).isEqualTo("a2");
        report(ann, done(second));
        assertThat(admin.jdbc
                        .sql(
                                "select (select count(*) from orth_message_group) + (select count(*) from orth_message_key)")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Concurrent pushes may join their group in an order that differs from their times. */
    @Test
    void startsNextOfGroupAfterUnblockedMessageFinishes() {
        List<Long> pushed = push(
                spec("a1").groupKey("a"), spec("a2").groupKey("a"), spec("a3").groupKey("a"));
        admin.jdbc
                .sql("update orth_message set queued_at = queued_at - interval '1 second' where id = :id")
                .param("id", pushed.get(1))
                .update();
        ClaimedMessage first = claim(ann, 5).get(0);

        driver.discard(QUEUE, List.of(pushed.get(2)), List.of());

        assertThat(claim(bob, 5)).isEmpty();
        report(ann, done(first));
        assertThat(claim(bob, 5)).extracting(ClaimedMessage::payload).containsExactly("a2");
    }

    @Test
    void listsEveryQueue() {
        admin.jdbc
                .sql("insert into orth_queue (name) select 'q' || n from generate_series(1, 2500) n")
                .update();

        assertThat(queues.list()).hasSize(2_500);
    }

    @Test
    void throughputCountsEachCompletionOnce() {
        push(IntStream.range(0, 500).mapToObj(i -> spec("m" + i)).toArray(Spec[]::new));
        for (List<ClaimedMessage> some = claim(ann, 100); !some.isEmpty(); some = claim(ann, 100)) {
            MessageResult[] results =
                    some.stream().map(QueueDriverConformance::done).toArray(MessageResult[]::new);
            report(ann, results);
            report(ann, results);
        }
        Queue queue = queues.get(QUEUE);

        QueueReports.Figures figures = admin.queues
                .reports
                .figures(List.of(queue), Instant.now(), Duration.ofMinutes(5))
                .get(queue.id());

        assertThat(figures.lately().done()).isEqualTo(500);
        assertThat(figures.lately().pushed()).isEqualTo(500);
    }

    @Test
    void figuresAreEqualBeforeAndAfterFolding() {
        dead("dead", null);
        push(spec("a"), spec("b"), spec("c"));
        report(ann, done(claim(ann, 1).get(0)));
        claim(bob, 1);
        Queue queue = queues.get(QUEUE);
        Instant now = Instant.now();
        QueueReports.Figures before = admin.queues
                .reports
                .figures(List.of(queue), now, Duration.ofMinutes(5))
                .get(queue.id());

        assertThat(admin.transactions.call(() -> admin.queues.reports.fold(1_000)))
                .isPositive();

        assertThat(before.waiting()).isEqualTo(1);
        assertThat(before.running()).isEqualTo(1);
        assertThat(before.dead()).isEqualTo(1);
        assertThat(admin.queues
                        .reports
                        .figures(List.of(queue), now, Duration.ofMinutes(5))
                        .get(queue.id()))
                .isEqualTo(before);
        assertThat(admin.jdbc
                        .sql("select count(*) from orth_queue_tally")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @Override
    void goes(long executor) {
        admin.executors.leave(
                group.id(), new Registration.Instance(executor == ann ? "ann" : "bob", "host", 7, "test", true));
    }

    @Override
    Map.Entry<String, ClaimedMessage> claimTask(long executor) {
        admin.pipelines.define("books", "courses");
        admin.pipelines.submit("books", "math");
        admin.pipelines.dispatch();
        return Map.entry(
                "q.courses", admin.queues.claim("q.courses", executor, 1).get(0));
    }

    // --- a backlog

    /** Messages older than any push that may still commit. */
    private List<Long> backlog(int messages) {
        return push(IntStream.range(0, messages)
                .mapToObj(i -> spec("m" + i).dueAt(Instant.EPOCH.plusSeconds(i)))
                .toArray(Spec[]::new));
    }

    @Test
    void claimsWholeBacklogInOrder() {
        List<Long> all = backlog(25);

        List<Long> given = new ArrayList<>();
        for (List<ClaimedMessage> some = claim(ann, 10); !some.isEmpty(); some = claim(ann, 10)) {
            some.forEach(message -> given.add(message.id()));
        }

        assertThat(given).isEqualTo(all);
    }

    @Test
    void claimsReleasedMessageBeforeBacklog() {
        List<Long> all = backlog(9);
        ClaimedMessage first = claim(ann, 3).get(0);
        claim(ann, 3);

        admin.queues.report(QUEUE, ann, givenBack(first));

        assertThat(claim(bob, 2)).extracting(ClaimedMessage::id).containsExactly(all.get(0), all.get(6));
    }

    @Test
    void claimsNextOfGroupBeforeBacklog() {
        List<Long> grouped = push(
                spec("a").groupKey("g").dueAt(Instant.EPOCH),
                spec("b").groupKey("g").dueAt(Instant.EPOCH));
        List<Long> others = backlog(9);
        ClaimedMessage first = claim(ann, 3).get(0);
        claim(ann, 3);

        admin.queues.report(QUEUE, ann, done(first));

        assertThat(claim(bob, 2)).extracting(ClaimedMessage::id).containsExactly(grouped.get(1), others.get(5));
    }

    /** The other node does not know of the release and finds the message with its next full scan. */
    @Test
    void findsMessageReleasedOnAnotherNode() {
        List<Long> all = backlog(500);
        ClaimedMessage first = claim(ann, 3).get(0);
        AdminFixture other = new AdminFixture(db);

        other.queues.report(QUEUE, ann, givenBack(first));

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> claim(bob, 1), given -> given.get(0).id() == all.get(0));
        assertThat(reader.depth(admin.queues.queues.get(QUEUE)).waiting()).isPositive();
    }

    @Test
    void claimsUrgentMessageBeforeBacklog() {
        List<Long> all = backlog(9);
        claim(ann, 3);

        List<Long> urgent = push(spec("urgent").lane(Lane.CRITICAL));

        assertThat(claim(bob, 2)).extracting(ClaimedMessage::id).containsExactly(urgent.get(0), all.get(3));
    }
}
