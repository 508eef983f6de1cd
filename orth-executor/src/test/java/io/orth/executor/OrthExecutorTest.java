package io.orth.executor;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.BlockStrategy;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.HeartbeatRule;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeAdmin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole executor against a stand-in admin, over real sockets: what it is asked to do, and how it answers. */
@Timeout(60)
class OrthExecutorTest {

    @TempDir
    Path directory;

    private ExecutorRoom room;
    private OrthExecutor executor;
    private ExecutorClient client;

    @BeforeEach
    void start() {
        room = new ExecutorRoom(directory);
        executor = OrthExecutor.create(room.options().build(), room.handlers()).start();
        client = new ExecutorClient(executor.address());
    }

    @AfterEach
    void stop() {
        room.hold.countDown();
        executor.stop(Duration.ofSeconds(5));
        room.admin.close();
    }

    @Test
    void runsAHandlerAndReportsItsResult() throws Exception {
        Reply reply = client.run(trigger(7, "greet", 1001, "world", executor.instanceId()));

        assertThat(reply.code()).isEqualTo(Codes.SUCCESS);
        assertThat(room.admin.awaitCallback(1001))
                .isEqualTo(new CallbackItem(1001, TRIGGERED_AT, 200, "hello world", executor.instanceId()));
    }

    @Test
    void rejectsUnknownHandlerByName() throws Exception {
        Reply reply = client.run(trigger(7, "nobody", 1));

        assertThat(reply).isEqualTo(Reply.fail("job handler [nobody] not found."));
    }

    @Test
    void rejectsTriggerMeantForAnotherInstance() throws Exception {
        Reply reply = client.run(trigger(7, "greet", 1, "", "another-instance"));

        assertThat(reply.code()).isEqualTo(Codes.FAIL);
        assertThat(reply.msg()).contains("another-instance").contains(executor.instanceId());
        assertThat(client.known(1)).isEmpty();
    }

    @Test
    void acknowledgesARepeatedTriggerWithoutRunningItAgain() throws Exception {
        client.run(trigger(7, "greet", 5));
        room.admin.awaitCallback(5);

        Reply repeated = client.run(trigger(7, "greet", 5));
        client.run(trigger(7, "greet", 6));
        room.admin.awaitCallback(6);

        assertThat(repeated.code()).isEqualTo(Codes.SUCCESS);
        assertThat(room.executions).hasValue(2);
        assertThat(room.admin.callbacks()).extracting(CallbackItem::logId).containsExactly(5L, 6L);
    }

    @Test
    @Tag("must-first")
    void distinguishesSkippedFromRejectedTriggers() throws Exception {
        client.run(discarding(21));
        await().until(() -> client.known(21).size() == 1);

        TriggerBatchReply reply = TriggerBatchReply.from(client.post(
                        ExecutorPaths.RUN_BATCH, new TriggerBatch(List.of(discarding(22), trigger(2, "nobody", 23))))
                .payloadObject());

        assertThat(reply.outcomes())
                .extracting(TriggerBatchReply.Outcome::logId, TriggerBatchReply.Outcome::code)
                .containsExactly(tuple(22L, Codes.BUSY), tuple(23L, Codes.FAIL));
        assertThat(client.run(discarding(24)))
                .as("as XXL-JOB's admins expect it")
                .isEqualTo(Reply.fail("block strategy effect：Discard Later"));
    }

    private static TriggerRequest discarding(long logId) {
        return TriggerRequest.of(7, "hold", logId, TRIGGERED_AT)
                .blockStrategy(BlockStrategy.DISCARD)
                .build();
    }

    @Test
    void answersEachTriggerOfABatch() throws Exception {
        TriggerBatch batch = new TriggerBatch(
                List.of(trigger(1, "greet", 11), trigger(2, "nobody", 12), trigger(3, "greet", 13, "", "other")));

        TriggerBatchReply reply = TriggerBatchReply.from(
                client.post(ExecutorPaths.RUN_BATCH, batch).payloadObject());

        assertThat(reply.instanceId()).isEqualTo(executor.instanceId());
        assertThat(reply.outcomes())
                .extracting(TriggerBatchReply.Outcome::logId, TriggerBatchReply.Outcome::code)
                .containsExactly(tuple(11L, 200), tuple(12L, 500), tuple(13L, 500));
        assertThat(room.admin.awaitCallback(11).handleCode()).isEqualTo(200);
    }

    @Test
    @Tag("must-executor")
    void reportsRunningAndQueuedRuns() throws Exception {
        client.run(trigger(7, "hold", 21));
        room.holding.await();
        client.run(trigger(7, "hold", 22));
        client.run(trigger(8, "greet", 23));
        room.admin.awaitCallback(23);

        assertThat(client.known(20, 21, 22, 23))
                .containsExactly(
                        new Known(21, State.RUNNING),
                        new Known(22, State.QUEUED),
                        new Known(23, State.FINISHED, 200, "hello "));
    }

    @Test
    void failsRunWhenHandlerThrows() throws Exception {
        client.run(trigger(7, "throw", 31));
        client.run(trigger(7, "overflow", 32));
        client.run(trigger(7, "greet", 33));

        assertThat(room.admin.awaitCallback(31).handleCode()).isEqualTo(500);
        assertThat(room.admin.awaitCallback(31).handleMsg())
                .startsWith("java.lang.IllegalStateException: no luck")
                .contains("Caused by: java.io.IOException: disk on fire");
        assertThat(room.admin.awaitCallback(32).handleMsg()).contains("StackOverflowError");
        assertThat(room.admin.awaitCallback(33).handleCode()).isEqualTo(200);
        assertThat(client.log(31)).contains("the handler failed").contains("disk on fire");
    }

    @Test
    @Tag("must-executor")
    void cutsLongMessages() throws Exception {
        client.run(trigger(7, "long", 41));

        assertThat(room.admin.awaitCallback(41).handleMsg()).hasSize(50_000).endsWith("[cut, 60001 characters in all]");
    }

    @Test
    void servesALogByBytesAndByLines() throws Exception {
        client.run(trigger(7, "greet", 51, "Ünïcode", null));
        room.admin.awaitCallback(51);

        LogReply lines = LogReply.from(client.post(ExecutorPaths.LOG, new LogRequest(51, TRIGGERED_AT, 2))
                .payloadObject());

        assertThat(client.log(51))
                .matches("(?s)\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} \\[orth-job-7] greeting Ünïcode\n.*");
        assertThat(lines.fromLine()).isEqualTo(2);
        assertThat(lines.toLine()).isEqualTo(2);
        assertThat(lines.text()).endsWith("[orth-job-7] done\n");
        assertThat(lines.end()).isFalse();
        assertThat(directory.resolve("2030-01-01/51.log")).exists();
    }

    @Test
    void deliversResultsAfterTheAdminWasAway() throws Exception {
        room.admin.awaitRegistration();
        int port = room.admin.port();
        room.admin.close();
        client.run(trigger(7, "greet", 61));
        client.run(trigger(8, "greet", 62));
        room.awaitFiles(true);

        try (FakeAdmin back = FakeAdmin.startAt(port)) {
            assertThat(back.awaitCallback(61).handleCode()).isEqualTo(200);
            assertThat(back.awaitCallback(62).handleCode()).isEqualTo(200);
            room.awaitFiles(false);
            executor.stop(Duration.ofSeconds(1));
        }
    }

    @Test
    @Tag("must-executor")
    void failsOverToAnotherAdmin(@TempDir Path other) throws Exception {
        try (FakeAdmin second = FakeAdmin.start();
                OrthExecutor two = OrthExecutor.create(
                                room.options()
                                        .admin(second.address())
                                        .logPath(other)
                                        .build(),
                                room.handlers())
                        .start()) {
            room.admin.awaitRegistration(r -> r.instance().id().equals(two.instanceId()));
            room.admin.answer(500);

            new ExecutorClient(two.address()).run(trigger(7, "greet", 71));

            assertThat(second.awaitCallback(71).handleCode()).isEqualTo(200);
            assertThat(second.awaitRegistration().instance().id()).isEqualTo(two.instanceId());
            room.admin.answer(200);
        }
    }

    @Test
    void reportsItsStatus(@TempDir Path other) throws Exception {
        ExecutorStatus before = OrthExecutor.create(
                        room.options().logPath(other).build(), room.handlers())
                .status();
        client.run(trigger(7, "hold", 83));
        client.run(trigger(7, "hold", 84));
        room.holding.await();
        await().until(() -> executor.status().registered());

        ExecutorStatus status = executor.status();

        assertThat(before)
                .isEqualTo(new ExecutorStatus(false, null, 0, 0, 0, 0, false, HeartbeatRule.DEFAULT.timeout()));
        assertThat(status.sinceLastBeat()).isBetween(Duration.ZERO, Duration.ofSeconds(30));
        assertThat(status)
                .isEqualTo(new ExecutorStatus(
                        true, status.sinceLastBeat(), 1, 1, 0, 0, false, HeartbeatRule.DEFAULT.timeout()));
    }
}
