package io.orth.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.deadletter.Operation.Action;
import io.orth.admin.deadletter.Operation.Status;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.TestFaults;
import io.orth.admin.queue.MessageStatus;
import io.orth.admin.queue.QueueDriver;
import io.orth.admin.queue.QueueFixture;
import io.orth.admin.queue.WatchedDriver;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@Tag("must-queues")
class OperationsDbTest {

    private static final String QUEUE = "emails";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private DeadLetterFixture fixture;
    private Operations operations;
    private OperationDuty duty;
    private long worker;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        fixture = new DeadLetterFixture(admin);
        operations = fixture.operations;
        duty = fixture.duty();
        ExecutorGroup group = admin.group("mailers");
        worker = admin.executor(group, "ann", "http://127.0.0.1:1001").executorId();
    }

    @AfterEach
    void tearDown() {
        TestFaults.clear();
        admin.jdbc.sql("drop trigger if exists refuse on orth_message").update();
    }

    // --- actions

    @Test
    void retriesAllBehindWaitingMessages() {
        List<Long> dead = dead(QUEUE, "no luck", 25);
        long waiting = admin.queues.push(QUEUE, QueueFixture.withAttempts(1));

        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "mended");
        DeadLetterFixture.drain(duty);

        Operation done = operations.get(begun.id());
        assertThat(begun.progress().total()).isEqualTo(25);
        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.progress()).isEqualTo(new Operation.Progress(25, 25, 0, 0, null, null));
        assertThat(done.finishedAt()).isNotNull();
        assertThat(claimed(30))
                .extracting(ClaimedMessage::id)
                .startsWith(waiting)
                .hasSize(26);
        assertThat(dead).allSatisfy(id -> assertThat(status(id)).isEqualTo(MessageStatus.RUNNING));
        assertThat(admin.systemLog.lines())
                .contains(
                        "INFO ann begins operation %d: RETRY of 25, mended".formatted(begun.id()),
                        "INFO operation %d has ended: RETRY, 25 done, 0 skipped, 0 failed".formatted(begun.id()));
    }

    @Test
    void limitsRateOfRetriesButNotOfDiscards() {
        dead(QUEUE, "no luck", 3);
        OperationDuty slow = fixture.duty(1);
        Operation retry = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");

        assertThat(slow.run()).isEqualTo(Pass.MORE);
        assertThat(slow.run()).isNotEqualTo(Pass.MORE).isNotEqualTo(Pass.DRAINED);
        assertThat(operations.get(retry.id()).progress().done()).isEqualTo(1);
        operations.abort(retry.id(), "ann");

        Operation discard = operations.begin(Action.DISCARD, DeadLetterFilter.ALL, "ann", "");
        DeadLetterFixture.drain(slow);
        assertThat(operations.get(discard.id()).progress().done()).isEqualTo(2);
    }

    @Test
    void appliesOnlyToMatchingDeadLetters() {
        List<Long> mine = dead(QUEUE, "disk is full", 3);
        List<Long> other = dead(QUEUE, "no luck", 2);
        List<Long> elsewhere = dead("invoices", "disk is full", 2);

        Operation begun = operations.begin(Action.DISCARD, filter(queueId(QUEUE), "DISK is"), "ann", "");
        DeadLetterFixture.drain(duty);

        assertThat(operations.get(begun.id()).progress().done()).isEqualTo(3);
        assertThat(mine).allSatisfy(id -> assertThat(status(id)).isEqualTo(MessageStatus.DISCARDED));
        assertThat(other).allSatisfy(id -> assertThat(status(id)).isEqualTo(MessageStatus.DEAD));
        assertThat(elsewhere)
                .allSatisfy(id -> assertThat(admin.queues
                                .messages
                                .get(admin.queues.queues.get("invoices"), id)
                                .status())
                        .isEqualTo(MessageStatus.DEAD));
    }

    @Test
    void appliesToListedDeadLettersAndSkipsMissingOnes() {
        List<Long> dead = dead(QUEUE, "no luck", 3);
        List<Long> numbers = numbers();
        admin.queues.driver.discard(QUEUE, List.of(), List.of(dead.get(0)));

        assertThat(operations.count(numbers)).isEqualTo(2);
        Operation begun = operations.begin(Action.RETRY, numbers.subList(0, 2), "ann", "");
        DeadLetterFixture.drain(duty);

        assertThat(operations.get(begun.id()).progress()).isEqualTo(new Operation.Progress(2, 1, 1, 0, null, null));
        assertThat(status(dead.get(1))).isEqualTo(MessageStatus.WAITING);
        assertThat(status(dead.get(2))).isEqualTo(MessageStatus.DEAD);
    }

    @Test
    void leavesLaterDeadLettersAlone() {
        dead(QUEUE, "no luck", 2);
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        List<Long> later = dead(QUEUE, "no luck", 2);

        DeadLetterFixture.drain(duty);

        assertThat(operations.get(begun.id()).progress().done()).isEqualTo(2);
        assertThat(later).allSatisfy(id -> assertThat(status(id)).isEqualTo(MessageStatus.DEAD));
    }

    @Test
    void skipsDeadLettersHandledMeanwhile() {
        List<Long> dead = dead(QUEUE, "no luck", 5);
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        admin.queues.driver.discard(QUEUE, List.of(), dead.subList(0, 2));

        DeadLetterFixture.drain(duty);

        assertThat(operations.get(begun.id()).progress()).isEqualTo(new Operation.Progress(5, 3, 2, 0, null, null));
    }

    @Test
    void purgeDiscardsOnlyWaitingMessages() {
        admin.queues.push(QUEUE, QueueFixture.withAttempts(1));
        long running = claimed(1).get(0).id();
        long waiting = admin.queues.push(QUEUE, QueueFixture.withAttempts(1));
        List<Long> special = admin.queues.pushSpecial(QUEUE);

        Operation begun = operations.beginPurge(queueId(QUEUE), "ann");
        long later = admin.queues.push(QUEUE, QueueFixture.withAttempts(1));
        DeadLetterFixture.drain(duty);

        assertThat(operations.get(begun.id()).status()).isEqualTo(Status.DONE);
        assertThat(operations.get(begun.id()).progress())
                .isEqualTo(new Operation.Progress(special.size() + 1, special.size() + 1, 0, 0, null, null));
        assertThat(status(waiting)).isEqualTo(MessageStatus.DISCARDED);
        assertThat(special).allSatisfy(id -> assertThat(status(id)).isEqualTo(MessageStatus.DISCARDED));
        assertThat(status(running)).isEqualTo(MessageStatus.RUNNING);
        assertThat(status(later)).isEqualTo(MessageStatus.WAITING);
    }

    // --- pausing, resuming, aborting

    @Test
    void pausedOperationContinuesAfterResume() {
        dead(QUEUE, "no luck", 3);
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");

        assertThat(operations.pause(begun.id()).status()).isEqualTo(Status.PAUSED);
        DeadLetterFixture.drain(duty);
        assertThat(operations.get(begun.id()).progress().done()).isZero();
        assertThatThrownBy(() -> operations.pause(begun.id()))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("is PAUSED");

        assertThat(operations.resume(begun.id()).status()).isEqualTo(Status.RUNNING);
        DeadLetterFixture.drain(duty);
        assertThat(operations.get(begun.id()).progress().done()).isEqualTo(3);
        assertThatThrownBy(() -> operations.resume(begun.id()))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("is DONE");
    }

    @Test
    void abortedOperationStops() {
        dead(QUEUE, "no luck", 3);
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");

        assertThat(operations.abort(begun.id(), "bob").status()).isEqualTo(Status.ABORTED);
        DeadLetterFixture.drain(duty);

        assertThat(operations.get(begun.id()).progress().done()).isZero();
        assertThat(operations.get(begun.id()).finishedAt()).isNotNull();
        assertThatThrownBy(() -> operations.abort(begun.id(), "bob"))
                .isInstanceOf(OrthException.class)
                .hasMessageContaining("is ABORTED");
        assertThat(admin.systemLog.lines())
                .contains("INFO bob aborts operation %d: RETRY, 0 of 3 done".formatted(begun.id()));
    }

    // --- throttled queues

    @Test
    void throttledQueueDelaysOnlyItsOwnOperation() {
        dead(QUEUE, "no luck", 10);
        dead("invoices", "no luck", 3);
        OperationDuty careful = fixture.duty(admin.queues.deadMessages(4));
        Operation large = operations.begin(Action.RETRY, filter(queueId(QUEUE), null), "ann", "");
        Operation small = operations.begin(Action.RETRY, filter(queueId("invoices"), null), "ann", "");

        DeadLetterFixture.drain(careful);

        assertThat(operations.get(large.id()).progress())
                .isEqualTo(new Operation.Progress(10, 4, 0, 0, null, "queue " + QUEUE));
        assertThat(operations.get(small.id()).status()).isEqualTo(Status.DONE);

        claimed(4);
        letTimePass();
        DeadLetterFixture.drain(careful);
        assertThat(operations.get(large.id()).progress().done()).isEqualTo(8);
        claimed(4);
        letTimePass();
        DeadLetterFixture.drain(careful);
        assertThat(operations.get(large.id()).status()).isEqualTo(Status.DONE);
    }

    @Test
    void continuesOtherQueuesWhileOneIsThrottled() {
        List<Long> ours = new ArrayList<>(dead(QUEUE, "no luck", 6));
        dead("invoices", "no luck", 3);
        ours.addAll(dead(QUEUE, "no luck", 5));
        dead("letters", "no luck", 3);
        OperationDuty careful = fixture.duty(admin.queues.deadMessages(4));
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");

        DeadLetterFixture.drain(careful);

        Operation held = operations.get(begun.id());
        assertThat(held.status()).isEqualTo(Status.RUNNING);
        assertThat(held.progress()).isEqualTo(new Operation.Progress(17, 10, 0, 0, null, "queue " + QUEUE));
        assertThat(readyIn("invoices")).isEqualTo(3);
        assertThat(readyIn("letters")).isEqualTo(3);

        List<Long> begunOnce = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            claimed(4).forEach(message -> begunOnce.add(message.id()));
            letTimePass();
            DeadLetterFixture.drain(fixture.duty(admin.queues.deadMessages(4)));
        }
        assertThat(operations.get(begun.id()).progress()).isEqualTo(new Operation.Progress(17, 17, 0, 0, null, null));
        assertThat(operations.get(begun.id()).status()).isEqualTo(Status.DONE);
        assertThat(begunOnce).containsExactlyElementsOf(ours);
    }

    @Test
    void continuesListedDeadLettersWhileQueueIsThrottled() {
        dead(QUEUE, "no luck", 3);
        dead("invoices", "no luck", 2);
        List<Long> numbers = numbers();
        OperationDuty careful = fixture.duty(admin.queues.deadMessages(2));
        Operation begun = operations.begin(Action.RETRY, numbers, "ann", "");

        DeadLetterFixture.drain(careful);
        assertThat(operations.get(begun.id()).progress())
                .isEqualTo(new Operation.Progress(5, 4, 0, 0, null, "queue " + QUEUE));

        claimed(2);
        letTimePass();
        DeadLetterFixture.drain(careful);
        assertThat(operations.get(begun.id()).progress()).isEqualTo(new Operation.Progress(5, 5, 0, 0, null, null));
    }

    @Test
    void countsFailureOnceDespiteThrottledQueue() {
        List<Long> dead = dead(QUEUE, "no luck", 6);
        dead("invoices", "no luck", 1);
        reject(dead.get(4));
        OperationDuty careful = fixture.duty(admin.queues.deadMessages(3));
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");

        DeadLetterFixture.drain(careful);
        claimed(3);
        letTimePass();
        DeadLetterFixture.drain(careful);

        Operation.Progress progress = operations.get(begun.id()).progress();
        assertThat(operations.get(begun.id()).status()).isEqualTo(Status.DONE);
        assertThat(progress.done()).isEqualTo(6);
        assertThat(progress.failed()).isEqualTo(1);
        assertThat(progress.lastError()).startsWith("message " + dead.get(4));
    }

    // --- external drivers

    @Test
    void callsExternalDriverOutsideTransaction() {
        List<Long> dead = dead(QUEUE, "no luck", 30);
        admin.queues.pushMany("invoices", 5);
        QueueDriver elsewhere = elsewhere();
        OperationDuty outside =
                fixture.duty(admin.queues.deadMessages(elsewhere, 100), admin.queues.waiting(elsewhere));
        Operation retry = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        Operation purge = operations.beginPurge(queueId("invoices"), "ann");

        DeadLetterFixture.drain(outside);

        assertThat(operations.get(retry.id()).progress()).isEqualTo(new Operation.Progress(30, 30, 0, 0, null, null));
        assertThat(operations.get(purge.id()).progress().done()).isEqualTo(5);
        assertRetriedOnce(dead);
    }

    @Test
    void repeatsPartOnExternalDriverAfterCrash() {
        List<Long> dead = dead(QUEUE, "no luck", 30);
        QueueDriver elsewhere = elsewhere();
        OperationDuty outside = fixture.duty(admin.queues.deadMessages(elsewhere, 100));
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        TestFaults.dieOnceAt(FaultPoints.OPERATION_AFTER_PART);
        assertThatThrownBy(outside::run).isInstanceOf(TestFaults.Died.class);
        assertThat(operations.get(begun.id()).progress().done()).isZero();
        assertThat(fixture.duty(admin.queues.deadMessages(elsewhere, 100)).run())
                .as("it is left alone for a while")
                .isNotEqualTo(Pass.MORE);

        letTimePass();
        DeadLetterFixture.drain(outside);

        assertThat(operations.get(begun.id()).progress())
                .as("what is not dead any more is passed over")
                .isEqualTo(new Operation.Progress(30, 0, 30, 0, null, null));
        assertRetriedOnce(dead);
    }

    private QueueDriver elsewhere() {
        return WatchedDriver.elsewhere(
                admin.queues.driver,
                (method, args) -> assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                        .as(method)
                        .isFalse());
    }

    private int readyIn(String queue) {
        return admin.queues.driver.ready(List.of(queue), 100).get(queue);
    }

    @Test
    void delayedMessagesDoNotThrottleQueue() {
        dead(QUEUE, "no luck", 3);
        admin.queues.pushSpecial(QUEUE);
        claimed(100);
        OperationDuty careful = fixture.duty(admin.queues.deadMessages(3));
        Operation begun = operations.begin(Action.RETRY, filter(queueId(QUEUE), null), "ann", "");

        DeadLetterFixture.drain(careful);

        assertThat(operations.get(begun.id()).status()).isEqualTo(Status.DONE);
    }

    @Test
    void continuesAfterDeadLetterThatFails() {
        List<Long> dead = dead(QUEUE, "no luck", 40);
        reject(dead.get(17));

        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        DeadLetterFixture.drain(duty);

        Operation.Progress progress = operations.get(begun.id()).progress();
        assertThat(operations.get(begun.id()).status()).isEqualTo(Status.DONE);
        assertThat(progress.done()).isEqualTo(39);
        assertThat(progress.failed()).isEqualTo(1);
        assertThat(progress.lastError()).startsWith("message " + dead.get(17)).contains("not this one");
        assertThat(status(dead.get(17))).isEqualTo(MessageStatus.DEAD);
    }

    // --- crashes

    @Test
    void resumesAtNextPartAfterCrash() {
        List<Long> dead = dead(QUEUE, "no luck", 2_500);
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        TestFaults.at(FaultPoints.OPERATION_AFTER_PART, () -> die(FaultPoints.OPERATION_AFTER_PART));
        assertThatThrownBy(duty::run).isInstanceOf(TestFaults.Died.class);
        TestFaults.clear();
        assertThat(operations.get(begun.id()).progress().done()).isEqualTo(1_000);

        DeadLetterFixture.drain(fixture.duty());

        assertThat(operations.get(begun.id()).progress())
                .isEqualTo(new Operation.Progress(2_500, 2_500, 0, 0, null, null));
        assertRetriedOnce(dead);
    }

    @Test
    void rollsBackPartOnCrash() {
        List<Long> dead = dead(QUEUE, "no luck", 30);
        Operation begun = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        TestFaults.at(FaultPoints.OPERATION_BEFORE_COMMIT, () -> die(FaultPoints.OPERATION_BEFORE_COMMIT));
        assertThatThrownBy(duty::run).isInstanceOf(TestFaults.Died.class);
        TestFaults.clear();
        assertThat(operations.get(begun.id()).progress().done()).isZero();
        assertThat(dead).allSatisfy(id -> assertThat(status(id)).isEqualTo(MessageStatus.DEAD));

        DeadLetterFixture.drain(fixture.duty());

        assertThat(operations.get(begun.id()).progress().done()).isEqualTo(30);
        assertRetriedOnce(dead);
    }

    @Test
    void twoNodesRetryEachOnceAlthoughOneDies() throws Exception {
        List<Long> dead = new ArrayList<>(dead(QUEUE, "no luck", 3_000));
        dead.addAll(dead("invoices", "no luck", 3_000));
        List<Operation> begun = List.of(
                operations.begin(Action.RETRY, filter(queueId(QUEUE), null), "ann", ""),
                operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", ""),
                operations.begin(Action.RETRY, filter(queueId("invoices"), null), "ann", ""));
        AtomicInteger parts = new AtomicInteger();
        TestFaults.at(FaultPoints.OPERATION_BEFORE_COMMIT, () -> {
            if (parts.incrementAndGet() == 3) {
                die(FaultPoints.OPERATION_BEFORE_COMMIT);
            }
        });

        List<CompletableFuture<Boolean>> nodes = IntStream.range(0, 2)
                .mapToObj(node -> CompletableFuture.supplyAsync(() -> survives(fixture.duty())))
                .toList();
        List<Boolean> survived = new ArrayList<>();
        for (CompletableFuture<Boolean> node : nodes) {
            survived.add(node.get(60, TimeUnit.SECONDS));
        }
        DeadLetterFixture.drain(fixture.duty());

        assertThat(survived).containsExactlyInAnyOrder(true, false);
        assertThat(begun)
                .allSatisfy(
                        each -> assertThat(operations.get(each.id()).status()).isEqualTo(Status.DONE));
        assertThat(begun.stream()
                        .mapToLong(each -> operations.get(each.id()).progress().done())
                        .sum())
                .isEqualTo(6_000);
        assertRetriedOnce(dead);
    }

    private static boolean survives(OperationDuty duty) {
        try {
            DeadLetterFixture.drain(duty);
            return true;
        } catch (TestFaults.Died e) {
            return false;
        }
    }

    // --- retention

    @Test
    void deletesFinishedOperationsAfterRetention() {
        dead(QUEUE, "no luck", 1);
        Operation old = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        DeadLetterFixture.drain(duty);
        Operation young = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        DeadLetterFixture.drain(duty);
        Operation going = operations.begin(Action.RETRY, DeadLetterFilter.ALL, "ann", "");
        admin.jdbc
                .sql("update orth_operation set finished_at = now() - interval '31 days' where id = :id")
                .param("id", old.id())
                .update();

        assertThat(new OperationRepository(admin.jdbc, admin.changes).prune(Duration.ofDays(30), 10))
                .isEqualTo(1);

        assertThat(operations.list(null, Long.MAX_VALUE, 10))
                .extracting(Operation::id)
                .containsExactly(going.id(), young.id());
        assertThat(operations.list(Status.DONE, Long.MAX_VALUE, 10))
                .extracting(Operation::id)
                .containsExactly(young.id());
    }

    @Test
    void passWithoutOperationsIsDrained() {
        assertThat(duty.run()).isEqualTo(Pass.DRAINED);
    }

    private static void die(String point) {
        throw new TestFaults.Died(point);
    }

    /** Each message died once and was retried once: the retry is its fourth state transition. */
    private void assertRetriedOnce(List<Long> dead) {
        assertThat(admin.jdbc
                        .sql(
                                "select id from orth_message where status = 'WAITING' and seq = 4 and attempt = 0 order by id")
                        .query(Long.class)
                        .list())
                .containsExactlyInAnyOrderElementsOf(dead);
        assertThat(admin.jdbc
                        .sql("select count(*) from orth_dead_letter")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    private List<Long> dead(String queue, String error, int messages) {
        List<Long> pushed = admin.queues.pushMany(queue, messages);
        List<ClaimedMessage> claimed = admin.queues.claim(queue, worker, messages);
        admin.queues.report(
                queue,
                worker,
                claimed.stream()
                        .map(message -> new MessageResult(message.id(), message.logId(), 500, error, true, null, 1))
                        .toArray(MessageResult[]::new));
        return pushed;
    }

    private List<ClaimedMessage> claimed(int slots) {
        return admin.queues.claim(QUEUE, worker, slots);
    }

    private MessageStatus status(long id) {
        return admin.queues.messages.get(admin.queues.queues.get(QUEUE), id).status();
    }

    private int queueId(String queue) {
        return admin.queues.queues.get(queue).id();
    }

    private List<Long> numbers() {
        return admin.jdbc
                .sql("select no from orth_dead_letter order by no")
                .query(Long.class)
                .list();
    }

    private static DeadLetterFilter filter(Integer queue, String error) {
        return new DeadLetterFilter(null, queue, null, null, null, null, error, null, null);
    }

    /** Makes deferred operations due. */
    private void letTimePass() {
        admin.jdbc.sql("update orth_operation set next_at = now()").update();
    }

    /** Makes the database reject a retry of this message. */
    private void reject(long id) {
        admin.jdbc.sql("""
                        create or replace function refuse() returns trigger language plpgsql as $$
                        begin raise exception 'not this one'; end $$
                        """).update();
        admin.jdbc
                .sql(
                        "create trigger refuse before insert on orth_message for each row when (new.id = %d) execute function refuse()"
                                .formatted(id))
                .update();
    }
}
