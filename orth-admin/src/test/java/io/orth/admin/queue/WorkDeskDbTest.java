package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import io.orth.testkit.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Waiting polls, without the periodic check for messages whose signal was lost. */
@Tag("must-queues")
class WorkDeskDbTest {

    private static final String QUEUE = "emails";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private AdminFixture admin;
    private QueueFixture fixture;
    private WorkDesk desk;
    private int group;
    private long executor;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        ExecutorGroup mailers = admin.group("mailers");
        group = mailers.id();
        executor = admin.executor(mailers, "ann", "http://127.0.0.1:1001").executorId();
        fixture = admin.queues;
        desk = desk(fixture.driver, fixture.guests);
        fixture.signals.connect(fixture.guests::wake, () -> {});
    }

    @AfterEach
    void stop() {
        threads.shutdown();
    }

    @Test
    void waitingPollReceivesNextOfGroupWhenPreviousFinishes() throws Exception {
        push("first", "g");
        push("second", "g");
        ClaimedMessage first = claimNow();
        CompletableFuture<WorkReply> waiting = claim("c", 5);

        report(new MessageResult(first.id(), first.logId(), 200, null, false, null, 1));

        assertThat(payloads(waiting)).containsExactly("second");
    }

    @Test
    void waitingPollReceivesRetriedMessage() throws Exception {
        push("again", null);
        ClaimedMessage message = claimNow();
        CompletableFuture<WorkReply> waiting = claim("c", 5);

        report(new MessageResult(message.id(), message.logId(), 500, "busy", false, 0L, 1));

        assertThat(payloads(waiting)).containsExactly("again");
    }

    @Test
    void waitingPollReceivesMessageOnceLimitAllows() throws Exception {
        push("first", null);
        push("second", null);
        fixture.queues.configure(QUEUE, new QueueSetup(null, 3, Backoff.DEFAULT, new Queue.Limits(null, 1), null));
        ClaimedMessage first = claimNow();
        CompletableFuture<WorkReply> waiting = claim("c", 5);

        report(new MessageResult(first.id(), first.logId(), 200, null, false, null, 1));

        assertThat(payloads(waiting)).containsExactly("second");
    }

    /** The first reply was lost, so the executor polled again; both polls wait here. */
    @Test
    void repeatedWaitingClaimReceivesSameMessages() throws Exception {
        CompletableFuture<WorkReply> lost = claim("c1", 2);
        CompletableFuture<WorkReply> repeated = claim("c1", 2);

        push("first", null);

        assertThat(payloads(lost)).containsExactly("first");
        assertThat(payloads(repeated)).containsExactly("first");
    }

    @Test
    void supersededWaitingClaimReceivesNothing() throws Exception {
        CompletableFuture<WorkReply> lost = claim("c1", 1);
        CompletableFuture<WorkReply> another = claim("c2", 1);

        push("first", null);

        assertThat(payloads(another)).containsExactly("first");
        assertThat(payloads(lost)).isEmpty();
    }

    // --- pushes to waiting polls

    @Test
    void sendsNoSignalForMessagesHandedToWaitingPoll() throws Exception {
        List<String> told = new ArrayList<>();
        fixture.signals.connect(told::add, () -> {});
        CompletableFuture<WorkReply> waiting = claim("c", 2);

        push("first", null);

        assertThat(payloads(waiting)).containsExactly("first");
        assertThat(told).isEmpty();
    }

    @Test
    void signalsMessagesThatWaitingPollDidNotTake() throws Exception {
        List<String> told = new ArrayList<>();
        fixture.signals.connect(told::add, () -> {});
        CompletableFuture<WorkReply> waiting = claim("c", 1);

        fixture.queues.push(QUEUE, List.of(MessageSpec.of("first"), MessageSpec.of("second")));

        assertThat(payloads(waiting)).containsExactly("first");
        assertThat(told).containsExactly(QUEUE);
    }

    @Test
    void waitingPollReceivesMessageOnceItsPushCommits() throws Exception {
        CompletableFuture<WorkReply> waiting = claim("c", 1);

        admin.transactions.run(() -> {
            push("first", null);
            assertThat(waiting).isNotDone();
        });

        assertThat(payloads(waiting)).containsExactly("first");
    }

    @Test
    void waitingPollOfLimitedQueueReceivesPushedMessage() throws Exception {
        CompletableFuture<WorkReply> waiting = claim("c", 2);
        fixture.queues.configure(QUEUE, new QueueSetup(null, 3, Backoff.DEFAULT, new Queue.Limits(null, 5), null));

        push("first", "group");

        assertThat(payloads(waiting)).containsExactly("first");
    }

    @Test
    void recreatesQueueDeletedDuringPoll() {
        CompletableFuture<WorkReply> waiting = claim("c", 2);
        fixture.queues.delete(QUEUE);

        push("first", null);

        assertThat(fixture.driver.ready(Set.of(QUEUE), 10)).containsEntry(QUEUE, 1);
        assertThat(waiting.handle((reply, problem) -> "answered")).succeedsWithin(Duration.ofSeconds(10));
    }

    // --- messages without a signal

    @Test
    void checksAllPolledQueuesInOneQuery() {
        List<Set<String>> asked = new ArrayList<>();
        WorkDesk watched = desk(WatchedDriver.of(fixture.driver, (method, args) -> {
            if (method.equals("nextDue")) {
                asked.add(names(args));
            }
        }));
        List<CompletableFuture<WorkReply>> waiting = new ArrayList<>();
        for (String queue : List.of("a", "b", "c")) {
            waiting.add(ask(watched, queue, "c", 1, List.of()));
        }

        watched.run();

        assertThat(asked).containsExactly(Set.of("a", "b", "c"));
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void checksOtherQueuesIfOneFails() throws Exception {
        WorkDesk watched = desk(WatchedDriver.of(fixture.driver, (method, args) -> {
            if (method.equals("nextDue") && names(args).contains("bad")) {
                throw new IllegalStateException("bad");
            }
        }));
        CompletableFuture<WorkReply> unlucky = ask(watched, "bad", "c", 1, List.of());
        CompletableFuture<WorkReply> waiting = ask(watched, QUEUE, "c", 1, List.of());
        fixture.driver.push(QUEUE, null, List.of(MessageSpec.of("unheard of")));

        watched.run();

        assertThat(payloads(waiting)).containsExactly("unheard of");
        assertThat(unlucky).isNotDone();
    }

    @Test
    void doesNotRetryClaimAtConcurrencyLimit() throws Exception {
        push("first", null);
        push("second", null);
        fixture.queues.configure(QUEUE, new QueueSetup(null, 3, Backoff.DEFAULT, new Queue.Limits(null, 1), null));
        claimNow();
        AtomicInteger tries = new AtomicInteger();
        WorkDesk watched = desk(WatchedDriver.of(fixture.driver, (method, args) -> {
            if (method.equals("tryAgain")) {
                tries.incrementAndGet();
            }
        }));
        CompletableFuture<WorkReply> waiting = ask(watched, QUEUE, "c", 1, List.of());

        watched.run();
        threads.submit(() -> {}).get();

        assertThat(tries).hasValue(0);
        assertThat(waiting).isNotDone();
    }

    @Test
    void countsRejectedResults() throws Exception {
        push("once", null);
        ClaimedMessage message = claimNow();
        MessageResult result = new MessageResult(message.id(), message.logId(), 200, null, false, null, 1);
        report(result);

        assertThat(ask(UUID.randomUUID().toString(), 0, List.of(result)).get().refused())
                .containsExactly(message.id());

        assertThat(fixture.registry
                        .get("orth.queue.results.refused")
                        .tag("queue", QUEUE)
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private WorkDesk desk(QueueDriver driver) {
        return desk(driver, new GuestService(driver, threads));
    }

    private WorkDesk desk(QueueDriver driver, GuestService guests) {
        return new WorkDesk(fixture.queues, driver, fixture.metrics, guests, fixture.signals, Clock.systemUTC());
    }

    @SuppressWarnings("unchecked")
    private static Set<String> names(Object[] args) {
        return Set.copyOf((Collection<String>) args[0]);
    }

    private void push(String payload, String groupKey) {
        fixture.queues.push(
                QUEUE,
                List.of(new MessageSpec(
                        payload, Lane.DEFAULT, null, null, null, null, groupKey, null, null, Map.of(), null, null)));
    }

    private ClaimedMessage claimNow() throws Exception {
        return claim(UUID.randomUUID().toString(), 1).get().messages().get(0);
    }

    private CompletableFuture<WorkReply> claim(String claim, int slots) {
        return ask(claim, slots, List.of());
    }

    private void report(MessageResult result) throws Exception {
        assertThat(ask(UUID.randomUUID().toString(), 0, List.of(result)).get().refused())
                .isEmpty();
    }

    private CompletableFuture<WorkReply> ask(String claim, int slots, List<MessageResult> results) {
        return ask(desk, QUEUE, claim, slots, results);
    }

    private CompletableFuture<WorkReply> ask(
            WorkDesk at, String queue, String claim, int slots, List<MessageResult> results) {
        return at.work(
                group,
                executor,
                true,
                new WorkRequest("ann", queue, 0, claim, 0, 0, slots, 0, PATIENCE.toMillis(), results));
    }

    private static List<String> payloads(CompletableFuture<WorkReply> reply) throws Exception {
        return reply.get(10, TimeUnit.SECONDS).messages().stream()
                .map(ClaimedMessage::payload)
                .toList();
    }
}
