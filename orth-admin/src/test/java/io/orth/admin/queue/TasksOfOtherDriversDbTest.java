package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.Fence;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskOutcome;
import io.orth.testkit.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Pipeline tasks in queues of a driver that cannot join the transaction: its changes remain when the surrounding transaction rolls back. So
 * one attempt may be in two messages, and a message may be claimed or finished twice. The task's own guard counts it once.
 */
@Tag("must-kernel")
class TasksOfOtherDriversDbTest {

    private static final String QUEUE = "q.courses";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private QueueDriver driver;
    private Target one;
    private Target two;
    private long run;
    private long task;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        driver = new OtherDriver(admin.queues.driver, false);
        ExecutorGroup group = admin.group("workers");
        one = admin.executor(group, "one", "http://127.0.0.1:9998");
        two = admin.executor(group, "two", "http://127.0.0.1:9999");
        admin.pipelines.define("books", "courses");
        run = admin.pipelines.submit("books", "math");
        admin.pipelines.dispatch();
        task = admin.jdbc
                .sql("select id from orth_pipeline_task")
                .query(Long.class)
                .single();
    }

    @Test
    void claimsAttemptInTwoMessagesOnce() {
        // As after a commit that failed when the driver already had the message.
        admin.jdbc
                .sql("update orth_outbox set sent_at = null, message_id = null")
                .update();
        admin.pipelines.dispatch();
        assertThat(messages()).isEqualTo(2);

        List<CompletableFuture<List<ClaimedMessage>>> claims = Stream.of(one, two)
                .map(executor -> CompletableFuture.supplyAsync(() -> claim(executor)))
                .toList();

        assertThat(claims.stream().flatMap(claim -> claim.join().stream()))
                .singleElement()
                .satisfies(claimed -> assertThat(claimed.task().taskId()).isEqualTo(task));
        assertThat(Stream.of(one, two).flatMap(executor -> claim(executor).stream()))
                .isEmpty();
        assertThat(journal()).containsOnlyOnce("PENDING->CLAIMED CLAIMED");
        assertThat(admin.jdbc
                        .sql("select result from orth_message_history")
                        .query(String.class)
                        .list())
                .containsExactly("skipped: stale");
    }

    @Test
    void skipsMessageClaimedTwiceAsStale() {
        ClaimedMessage message = handedOut(1);
        CarriedWork.Carried carried = new CarriedWork.Carried(task, message);
        CarriedWork.Carried again = new CarriedWork.Carried(task, handedOut(2));

        CarriedWork.Claimed first = take(one, carried);
        CarriedWork.Claimed second = take(two, again);

        assertThat(first.tasks()).containsOnlyKeys(message.id());
        assertThat(second.tasks()).isEmpty();
        assertThat(second.skipped()).containsEntry(message.id(), "stale");
        assertThat(journal()).containsOnlyOnce("PENDING->CLAIMED CLAIMED");
    }

    @Test
    void ignoresResultOfAnotherClaimAndRepeatedResult() {
        ClaimedMessage message = handedOut(1);
        take(one, new CarriedWork.Carried(task, message));

        end(two, handedOut(2));
        assertThat(admin.pipelines.tasksOf(run, 0)).containsExactly("math RUNNING");
        end(one, message);
        end(one, message);

        assertThat(admin.pipelines.tasksOf(run, 0)).containsExactly("math COMPLETED");
        assertThat(journal()).containsOnlyOnce("RUNNING->COMPLETED COMPLETED");
    }

    private List<ClaimedMessage> claim(Target executor) {
        return driver.work(QUEUE, List.of(), QueueFixture.claim(executor.executorId(), 1))
                .messages();
    }

    /** The message of the first attempt, as the driver hands it out under this claim. */
    private ClaimedMessage handedOut(long logId) {
        return new ClaimedMessage(
                7, 1, 3, logId, 0, "{}", 0, Map.of("orth.attempt", "1"), "0af7651916cd43dd8448eb211c80319c");
    }

    /** In its own transaction, because the driver has already claimed the message. */
    private CarriedWork.Claimed take(Target executor, CarriedWork.Carried message) {
        return admin.transactions.call(
                () -> admin.carried.work().claim(QUEUE, executor.executorId(), List.of(message), Instant.now()));
    }

    private void end(Target executor, ClaimedMessage message) {
        MessageResult result = new MessageResult(message.id(), message.logId(), Codes.SUCCESS, null, false, null, 5)
                .with(new TaskOutcome("{}", List.of(), null));
        CarriedWork.Ended ended = new CarriedWork.Ended(
                task,
                new Fence(executor.executorId(), message.logId()),
                CarriedWork.End.SUCCEEDED,
                false,
                null,
                result);
        admin.transactions.run(() -> admin.carried.work().ended(List.of(ended), Instant.now()));
    }

    private long messages() {
        return admin.jdbc
                .sql("select count(*) from orth_message")
                .query(Long.class)
                .single();
    }

    private List<String> journal() {
        return admin.pipelines.journalOf(EntityKind.PIPELINE_TASK, task);
    }
}
