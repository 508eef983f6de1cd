package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.QueueReports.Figures;
import io.orth.admin.queue.QueueReports.Minute;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pause, limits and figures while several executors work concurrently. */
@Tag("must-queues")
@Timeout(60)
class QueueControlsDbTest {

    private static final String QUEUE = "emails";
    private static final int WORKERS = 3;

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    private AdminFixture admin;
    private QueueFixture queues;
    private List<Long> executors;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        queues = admin.queues;
        ExecutorGroup group = admin.group("group");
        executors = IntStream.range(0, WORKERS)
                .mapToObj(i -> admin.executor(group, "e" + i, "http://127.0.0.1:" + (9_000 + i))
                        .executorId())
                .toList();
    }

    @AfterEach
    void tearDown() {
        threads.shutdownNow();
    }

    @Test
    void claimsNothingAfterPauseReturns() throws Exception {
        push(2_000);
        AtomicBoolean stopped = new AtomicBoolean();
        CountDownLatch working = new CountDownLatch(20);
        CountDownLatch afterPause = new CountDownLatch(1);
        CountDownLatch triedAfterwards = new CountDownLatch(30);
        List<Future<?>> workers = new ArrayList<>();
        for (long executor : executors) {
            workers.add(threads.submit(() -> {
                while (!stopped.get()) {
                    queues.claim(QUEUE, executor, 1);
                    working.countDown();
                    if (afterPause.getCount() == 0) {
                        triedAfterwards.countDown();
                    }
                }
            }));
        }
        working.await();

        queues.queues.pause(QUEUE);
        long running = running();
        afterPause.countDown();
        triedAfterwards.await();
        stopped.set(true);
        await(workers);

        assertThat(running).isBetween(20L, 1_999L);
        assertThat(running()).isEqualTo(running);
    }

    @Test
    void concurrentClaimsKeepConcurrencyLimit() throws Exception {
        push(50);
        limit(null, 4);

        assertThat(claimConcurrently(10)).isEqualTo(4);
        assertThat(claimConcurrently(10)).isZero();
        assertThat(running()).isEqualTo(4);
    }

    @Test
    void rateLimitAppliesToAllExecutorsTogether() throws Exception {
        push(500);
        Instant begin = Instant.now();
        limit(20, null);
        int claimed = 0;
        while (claimed < 20) {
            claimed += claimConcurrently(100);
        }
        double seconds = Duration.between(begin, Instant.now()).toMillis() / 1_000.0;

        // The rate limit starts without saved tokens.
        assertThat(seconds).isGreaterThan(0.9);
        assertThat((double) claimed).isLessThanOrEqualTo(20 * (seconds + 1));
    }

    /** Setting a limit blocks all claims, so its duration must not depend on the number of messages. */
    @Test
    void setsLimitWithoutReadingMessages() throws Exception {
        push(10);
        queues.claim(QUEUE, executors.get(0), 3);
        try (Connection other = db.dataSource().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table orth_message in access exclusive mode");
            threads.submit(() -> limit(null, 5)).get(20, TimeUnit.SECONDS);
            other.rollback();
        }

        assertThat(claimConcurrently(10)).isEqualTo(2);
    }

    @Test
    void rescuerLogsExecutorAndQueue() {
        push(3);
        queues.claim(QUEUE, executors.get(0), 3);
        admin.jdbc
                .sql("update orth_executor set status = 'DEAD' where id = :id")
                .param("id", executors.get(0))
                .update();
        List<String> said = new ArrayList<>();
        MessageRescuer rescuer = new MessageRescuer(
                queues.driver,
                (level, message, worker, queue) -> said.add("%s %s|%s|%s".formatted(level, message, worker, queue)),
                Duration.ZERO,
                Duration.ZERO);

        rescuer.run();
        rescuer.run();

        assertThat(said).containsExactly("WARN 3 messages of queue emails go back: their executor is gone|e0|emails");
    }

    @Test
    @Tag("must-first")
    void delaysRescuedMessagesLikeLostRuns() {
        push(1);
        queues.claim(QUEUE, executors.get(0), 1);
        admin.jdbc
                .sql("update orth_executor set status = 'DEAD' where id = :id")
                .param("id", executors.get(0))
                .update();
        Duration delay = Duration.ofMinutes(10);
        Instant before = Instant.now();

        new MessageRescuer(queues.driver, (level, message, worker, queue) -> {}, Duration.ZERO, delay).run();

        assertThat(queues.claim(QUEUE, executors.get(1), 1)).isEmpty();
        assertThat(queues.driver.nextDue(List.of(QUEUE)).get(QUEUE))
                .isAfter(before.plus(delay).minusSeconds(1));
    }

    @Test
    void figuresHaveOldestAgeWaitAndRunTimes() {
        push(3);
        admin.jdbc
                .sql("update orth_message set due_at = due_at - interval '2 minutes'")
                .update();
        ClaimedMessage claimed = queues.claim(QUEUE, executors.get(0), 1).get(0);
        queues.report(
                QUEUE, executors.get(0), new MessageResult(claimed.id(), claimed.logId(), 200, "", false, null, 700));

        for (boolean folded : new boolean[] {false, true}) {
            if (folded) {
                queues.fold();
            }
            Figures figures = figures();
            assertThat(figures.waiting()).isEqualTo(2);
            assertThat(figures.dueFor(Instant.now())).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
            assertThat(figures.lately().waitMillis()).isBetween(120_000L, 180_000L);
            assertThat(figures.lately().runMillis()).isEqualTo(700);
            assertThat(figures.workers()).isEqualTo(1);
        }
    }

    @Test
    void reportsActivityByMinute() {
        push(3);
        queues.claim(QUEUE, executors.get(0), 2);
        admin.jdbc
                .sql("update orth_queue_tally set minute = minute - interval '10 minutes' where pushed > 0")
                .update();
        queues.fold();
        Instant now = Instant.now();

        List<Minute> minutes = queues.reports.byMinute(
                queues.queues.get(QUEUE), now.minus(Duration.ofHours(1)), now.plus(Duration.ofMinutes(1)));

        assertThat(minutes).hasSize(2);
        assertThat(minutes.get(0).activity().pushed()).isEqualTo(3);
        assertThat(minutes.get(1).activity().claimed()).isEqualTo(2);
        assertThat(minutes.get(1).activity().pushed()).isZero();
        assertThat(minutes).allMatch(each -> each.minute().equals(each.minute().truncatedTo(ChronoUnit.MINUTES)));
        assertThat(figures().lately().pushed())
                .as("ten minutes ago is not lately")
                .isZero();
    }

    /** The counted period is never shorter than the requested one; otherwise a rule with a window of one minute could miss activity. */
    @Test
    void recentActivityStartsAtFullMinute() {
        push(3);
        Queue queue = queues.queues.get(QUEUE);
        Instant noted = admin.jdbc
                .sql("select minute from orth_queue_tally")
                .query((row, n) -> row.getTimestamp("minute").toInstant())
                .single();
        Duration minute = Duration.ofMinutes(1);

        Figures soon = queues.reports
                .figures(List.of(queue), noted.plusSeconds(119), minute)
                .get(queue.id());
        Figures later = queues.reports
                .figures(List.of(queue), noted.plusSeconds(120), minute)
                .get(queue.id());

        assertThat(soon.lately().pushed()).isEqualTo(3);
        assertThat(soon.latelyFor()).isEqualTo(Duration.ofSeconds(119));
        assertThat(later.lately().pushed()).isZero();
        assertThat(later.latelyFor()).isEqualTo(minute);
    }

    @Test
    void rejectsQueueBeyondMaxQueues() {
        int most = QueueFixture.PROPERTIES.maxQueues();
        IntStream.range(0, most).forEach(i -> queues.queues.open("q" + i));

        assertThatThrownBy(() -> queues.queues.open("another"))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("another")
                .hasMessageContaining("orth.queue.max-queues");
        assertThat(queues.queues.open("q7").name()).isEqualTo("q7");

        queues.queues.delete("q7");
        assertThat(queues.queues.open("another").name()).isEqualTo("another");
    }

    @Test
    void deletesOnlyEmptyQueue() {
        push(1);
        assertThatThrownBy(() -> queues.queues.delete(QUEUE))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining(QUEUE);
        ClaimedMessage claimed = queues.claim(QUEUE, executors.get(0), 1).get(0);
        queues.report(
                QUEUE, executors.get(0), new MessageResult(claimed.id(), claimed.logId(), 500, "no", true, null, 1));
        assertThatThrownBy(() -> queues.queues.delete(QUEUE)).isInstanceOf(OrthException.class);
        queues.driver.discard(QUEUE, List.of(), List.of(claimed.id()));

        queues.queues.delete(QUEUE);

        assertThat(queues.queues.find(QUEUE)).isEmpty();
        queues.fold();
        push(1);
        assertThat(figures().waiting()).as("it is another one").isEqualTo(1);
        assertThat(figures().dead()).isZero();
    }

    @Test
    void queuesAreListedByNameAndPart() {
        List.of("b", "a-mails", "c", "A-letters").forEach(queues.queues::open);

        assertThat(queues.queues.list(null, null, 10))
                .extracting(Queue::name)
                .containsExactlyInAnyOrder("A-letters", "a-mails", "b", "c");
        assertThat(queues.queues.list("a-", null, 10))
                .extracting(Queue::name)
                .containsExactlyInAnyOrder("A-letters", "a-mails");
        assertThat(queues.queues.list("%", null, 10)).isEmpty();
        List<String> paged = new ArrayList<>();
        for (String after = null; ; after = paged.get(paged.size() - 1)) {
            List<Queue> page = queues.queues.list(null, after, 3);
            page.forEach(queue -> paged.add(queue.name()));
            if (page.size() < 3) {
                break;
            }
        }
        assertThat(paged).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void drainingOrDeadExecutorIsNoWorker() {
        push(1);
        executors.forEach(executor -> queues.claim(QUEUE, executor, 1));
        assertThat(figures().workers()).isEqualTo(3);

        admin.jdbc
                .sql("update orth_executor set draining = true where id = :id")
                .param("id", executors.get(0))
                .update();
        admin.jdbc
                .sql("update orth_executor set status = 'DEAD' where id = :id")
                .param("id", executors.get(1))
                .update();

        assertThat(figures().workers()).isEqualTo(1);
    }

    private Figures figures() {
        Queue queue = queues.queues.get(QUEUE);
        return queues.reports
                .figures(List.of(queue), Instant.now(), Duration.ofMinutes(5))
                .get(queue.id());
    }

    /** All executors claim concurrently; returns how many messages they got together. */
    private int claimConcurrently(int slots) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Integer>> claims = new ArrayList<>();
        for (long executor : executors) {
            claims.add(threads.submit(() -> {
                start.await();
                return queues.claim(QUEUE, executor, slots).size();
            }));
        }
        start.countDown();
        int claimed = 0;
        for (Future<Integer> claim : claims) {
            claimed += claim.get();
        }
        return claimed;
    }

    private static void await(List<Future<?>> all) throws InterruptedException, ExecutionException {
        for (Future<?> each : all) {
            each.get();
        }
    }

    private void limit(Integer rate, Integer concurrency) {
        queues.queues.configure(
                QUEUE, new QueueSetup(null, 3, Backoff.DEFAULT, new Queue.Limits(rate, concurrency), null));
    }

    private long running() {
        return admin.jdbc
                .sql("select count(*) from orth_message where status = 'RUNNING'")
                .query(Long.class)
                .single();
    }

    private void push(int messages) {
        queues.queues.push(
                QUEUE,
                IntStream.range(0, messages)
                        .mapToObj(i -> MessageSpec.of("hello"))
                        .toList());
    }
}
