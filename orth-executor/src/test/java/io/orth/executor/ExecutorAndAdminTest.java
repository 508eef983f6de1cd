package io.orth.executor;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.BeatReply;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.HeartbeatRule;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.Registration;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executor and admin beside the work: registration, deregistration, and revoked runs. */
@Timeout(60)
class ExecutorAndAdminTest {

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
    void registersWithInstanceAndAddress() {
        Registration registration = room.admin.awaitRegistration();

        assertThat(registration.group()).isEqualTo("tests");
        assertThat(registration.address()).isEqualTo(executor.address().toString());
        assertThat(URI.create(registration.address()).getHost()).isEqualTo("127.0.0.1");
        assertThat(registration.instance().id()).isEqualTo(executor.instanceId());
        assertThat(registration.instance().pid())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(registration.instance().version()).matches("\\d+\\.\\d+.*");
        assertThat(registration.instance().leftoversDelivered()).isTrue();
    }

    @Test
    void answersHeartbeatWithInstanceId() throws Exception {
        BeatReply reply = BeatReply.from(client.postRaw(ExecutorPaths.BEAT, new byte[0]));

        assertThat(reply.instanceId()).isEqualTo(executor.instanceId());
    }

    /** As an admin on a restored copy of the database, which knows the address and the token. */
    @Test
    @Tag("must-first")
    void rejectsRequestsOfForeignInstallation() throws Exception {
        assertThat(client.from("copy").run(trigger(7, "greet", 70)).code())
                .as("while it has not heard of any")
                .isEqualTo(Codes.SUCCESS);
        room.admin.belongTo("home");
        await().until(() ->
                !client.from("copy").post(ExecutorPaths.BEAT, Map::of).succeeded());

        Reply one = client.from("copy").run(trigger(7, "greet", 71));
        Reply many =
                client.from("copy").post(ExecutorPaths.RUN_BATCH, new TriggerBatch(List.of(trigger(7, "greet", 72))));

        Reply refused =
                Reply.fail("this executor belongs to installation home and takes nothing from installation copy");
        assertThat(one).isEqualTo(refused);
        assertThat(many).isEqualTo(refused);
        assertThat(client.from("copy").known(70, 71, 72))
                .as("it may ask")
                .extracting(Known::logId)
                .containsExactly(70L);
        assertThat(client.from("home").run(trigger(7, "greet", 73)).code()).isEqualTo(Codes.SUCCESS);
        assertThat(client.run(trigger(7, "greet", 74)).code())
                .as("of an admin that does not say")
                .isEqualTo(Codes.SUCCESS);
    }

    /** As after a disaster: the admins it is configured with came back on a restored database. */
    @Test
    @Tag("must-first")
    void followsAdminsToAnotherInstallation() throws Exception {
        room.admin.belongTo("home");
        await().until(() ->
                !client.from("restored").post(ExecutorPaths.BEAT, Map::of).succeeded());

        room.admin.belongTo("restored");

        await().until(() ->
                client.from("restored").post(ExecutorPaths.BEAT, Map::of).succeeded());
        assertThat(client.from("restored").run(trigger(7, "greet", 75)).code()).isEqualTo(Codes.SUCCESS);
        assertThat(client.from("home").run(trigger(7, "greet", 76)).code()).isEqualTo(Codes.FAIL);
    }

    @Test
    @Tag("must-executor")
    void drainsOnRequestAndDeregisters() throws Exception {
        client.run(trigger(7, "hold", 85));
        client.run(trigger(7, "greet", 86));
        room.holding.await();

        Reply answer = client.post(ExecutorPaths.DRAIN, Map::of);
        Registration last = room.admin.awaitRegistration(r -> r.instance().draining());
        Reply plain = client.run(trigger(9, "greet", 87));
        TriggerBatchReply batch = TriggerBatchReply.from(
                client.post(ExecutorPaths.RUN_BATCH, new TriggerBatch(List.of(trigger(9, "greet", 88))))
                        .payloadObject());
        assertThat(room.admin.removals()).isEmpty();
        room.hold.countDown();
        Registration leave = room.admin.awaitRemoval();

        assertThat(answer.code()).isEqualTo(Codes.SUCCESS);
        assertThat(plain).isEqualTo(Reply.fail("the executor is draining"));
        assertThat(batch.outcomes())
                .containsExactly(new TriggerBatchReply.Outcome(88, Codes.UNAVAILABLE, "the executor is draining"));
        assertThat(last.instance().metrics().running()).isEqualTo(1);
        assertThat(last.instance().metrics().queued()).isEqualTo(1);
        assertThat(leave.instance().id()).isEqualTo(executor.instanceId());
        assertThat(room.admin.callbacks()).extracting(CallbackItem::logId).containsExactly(85L, 86L);
        assertThat(client.log(86)).as("it still serves logs").contains("greeting");
        assertThat(executor.status().draining()).isTrue();
    }

    @Test
    void rejectsDrainMeantForAnotherInstance() throws Exception {
        Reply answer = client.post(ExecutorPaths.DRAIN, () -> Map.of("instanceId", "a-predecessor"));

        assertThat(answer)
                .isEqualTo(Reply.fail("this is instance %s, not a-predecessor".formatted(executor.instanceId())));
        assertThat(executor.status().draining()).isFalse();
        assertThat(client.run(trigger(7, "greet", 74)).code()).isEqualTo(Codes.SUCCESS);
    }

    @Test
    @Tag("must-executor")
    void doesNotDeregisterBeforeResultsAreConfirmed() throws Exception {
        room.admin.awaitRegistration();
        room.admin.refuseCallbacks(item -> true);
        client.run(trigger(7, "greet", 89));
        await().until(() -> executor.status().unsentResults() > 0);

        executor.drain();
        room.admin.awaitRegistration(r -> r.instance().draining());
        assertThat(room.admin.removals()).isEmpty();
        room.admin.refuseCallbacks(item -> false);
        room.admin.awaitRemoval();

        assertThat(room.admin.callbacks()).extracting(CallbackItem::logId).containsExactly(89L);
        assertThat(executor.status().unsentResults()).isZero();
    }

    @Test
    @Tag("must-executor")
    void rejectsWorkWhileNoAdminAcknowledgesHeartbeats(@TempDir Path other) throws Exception {
        AtomicLong skipped = new AtomicLong();
        try (OrthExecutor two = executorWith(skipped, other)) {
            room.admin.awaitRegistration(r -> r.instance().id().equals(two.instanceId()));
            await().until(() -> two.status().registered());
            room.admin.answer(500);
            ExecutorClient toTwo = new ExecutorClient(two.address());
            await().until(() -> !two.status().registered());

            skipped.set(HeartbeatRule.DEFAULT.startLease().toNanos());
            TriggerBatchReply.Outcome away = outcome(toTwo, 75);
            room.admin.answer(200);
            await().until(() -> two.status().registered());
            TriggerBatchReply.Outcome back = outcome(toTwo, 76);

            assertThat(away.code()).isEqualTo(Codes.UNAVAILABLE);
            assertThat(away.msg()).isEqualTo("no admin acknowledges this executor's beats, so it starts nothing");
            assertThat(back.code()).isEqualTo(Codes.SUCCESS);
        }
    }

    private static TriggerBatchReply.Outcome outcome(ExecutorClient client, long logId) throws Exception {
        TriggerBatch batch = new TriggerBatch(List.of(trigger(7, "greet", logId)));
        return TriggerBatchReply.from(
                        client.post(ExecutorPaths.RUN_BATCH, batch).payloadObject())
                .outcomes()
                .get(0);
    }

    @Test
    @Tag("must-executor")
    void killsRevokedRunsWhetherRunningOrQueued() throws Exception {
        client.run(trigger(7, "hold", 78));
        client.run(trigger(7, "greet", 79));
        client.run(trigger(7, "greet", 80));
        room.holding.await();

        room.admin.revoke(78L, 79L);

        assertThat(room.admin.awaitCallback(78).handleMsg()).startsWith("revoked by the admin");
        assertThat(room.admin.awaitCallback(79).handleMsg()).startsWith("revoked by the admin");
        assertThat(room.admin.awaitCallback(80).handleCode()).isEqualTo(200);
        assertThat(room.executions).as("only the one that was not revoked").hasValue(1);
    }

    @Test
    @Tag("must-first")
    void killsAllWorkWhenDeclaredDead() throws Exception {
        client.run(trigger(7, "hold", 78));
        client.run(trigger(7, "greet", 79));
        client.run(trigger(8, "stubborn", 80));
        room.holding.await();
        room.stubborn.await();

        room.admin.declareDead();

        for (long run : List.of(78L, 79L, 80L)) {
            assertThat(room.admin.awaitCallback(run).handleMsg()).startsWith("the executor was declared dead");
        }
        client.run(trigger(9, "greet", 81));
        assertThat(room.admin.awaitCallback(81).handleCode()).isEqualTo(200);
        assertThat(room.executions).as("only the run that came later").hasValue(1);
        room.hold.countDown();
    }

    /** Suspended for longer than the heartbeat timeout: queued work may be running elsewhere by now. */
    @Test
    @Tag("must-executor")
    void startsNothingAfterPauseBeforeRevocationsArrive(@TempDir Path other) throws Exception {
        AtomicLong skipped = new AtomicLong();
        try (OrthExecutor two = executorWith(skipped, other)) {
            ExecutorClient toTwo = new ExecutorClient(two.address());
            toTwo.run(trigger(7, "hold", 701));
            room.holding.await();
            toTwo.run(trigger(7, "greet", 702));
            toTwo.run(trigger(7, "greet", 703));
            await().until(() -> two.status().registered());
            room.admin.answer(500);
            await().until(() -> !two.status().registered());

            skipped.set(HeartbeatRule.DEFAULT.startLease().toNanos());
            room.hold.countDown();
            await().until(() -> two.status().running() == 0 && two.status().queued() == 2);
            room.admin.awaitRequests(3);
            assertThat(room.executions)
                    .as("started while no beat was acknowledged")
                    .hasValue(0);
            room.admin.revoke(702L);
            room.admin.answer(200);

            assertThat(room.admin.awaitCallback(701).handleCode())
                    .as("what ran went on")
                    .isEqualTo(200);
            assertThat(room.admin.awaitCallback(702).handleMsg()).startsWith("revoked by the admin");
            assertThat(room.admin.awaitCallback(703).handleCode()).isEqualTo(200);
            assertThat(room.executions).hasValue(1);
        }
    }

    private OrthExecutor executorWith(AtomicLong skippedNanos, Path logPath) {
        return new OrthExecutor(
                        room.options().logPath(logPath).build(),
                        room::handlers,
                        GlueInjector.NONE,
                        Clock.systemUTC(),
                        () -> System.nanoTime() + skippedNanos.get())
                .start();
    }

    @Test
    @Tag("must-executor")
    void rejectsRevokedRunThatArrivesLate() throws Exception {
        room.admin.revoke(77L);
        room.admin.awaitRegistrations(2);

        Reply late = client.run(trigger(7, "greet", 77));

        assertThat(late.code()).isEqualTo(Codes.FAIL);
        assertThat(client.known(77)).isEmpty();
    }
}
