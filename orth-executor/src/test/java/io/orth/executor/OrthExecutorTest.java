package io.orth.executor;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.orth.executor.internal.liveness.AdminContact;
import io.orth.protocol.BeatReply;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import io.orth.protocol.KnownRunsRequest;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import io.orth.protocol.Registration;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole executor against a stand-in admin, over real sockets. */
@Timeout(60)
class OrthExecutorTest {

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private final AtomicInteger executions = new AtomicInteger();
    private final CountDownLatch hold = new CountDownLatch(1);
    private final CountDownLatch holding = new CountDownLatch(1);
    private OrthExecutor executor;
    private ExecutorClient client;

    @BeforeEach
    void start() {
        executor = OrthExecutor.create(options().build(), handlers()).start();
        client = new ExecutorClient(executor.address());
    }

    @AfterEach
    void stop() {
        hold.countDown();
        executor.stop(Duration.ofSeconds(5));
        admin.close();
    }

    @Test
    void runsAHandlerAndReportsItsResult() throws Exception {
        Reply reply = client.run(trigger(7, "greet", 1001, "world", executor.instanceId()));

        assertThat(reply.code()).isEqualTo(Codes.SUCCESS);
        assertThat(admin.awaitCallback(1001))
                .isEqualTo(new CallbackItem(1001, TRIGGERED_AT, 200, "hello world", executor.instanceId()));
    }

    @Test
    void registersWithWhoAndWhereItIs() {
        Registration registration = admin.awaitRegistration();

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
    void answersABeatWithItsInstance() throws Exception {
        BeatReply reply = BeatReply.from(client.postRaw(ExecutorPaths.BEAT, new byte[0]));

        assertThat(reply.instanceId()).isEqualTo(executor.instanceId());
    }

    @Test
    void refusesAnUnknownHandlerByName() throws Exception {
        Reply reply = client.run(trigger(7, "nobody", 1));

        assertThat(reply).isEqualTo(Reply.fail("job handler [nobody] not found."));
    }

    @Test
    void refusesATriggerMeantForAnotherInstance() throws Exception {
        Reply reply = client.run(trigger(7, "greet", 1, "", "another-instance"));

        assertThat(reply.code()).isEqualTo(Codes.FAIL);
        assertThat(reply.msg()).contains("another-instance").contains(executor.instanceId());
        assertThat(known(1)).isEmpty();
    }

    @Test
    void acknowledgesARepeatedTriggerWithoutRunningItAgain() throws Exception {
        client.run(trigger(7, "greet", 5));
        admin.awaitCallback(5);

        Reply repeated = client.run(trigger(7, "greet", 5));
        client.run(trigger(7, "greet", 6));
        admin.awaitCallback(6);

        assertThat(repeated.code()).isEqualTo(Codes.SUCCESS);
        assertThat(executions).hasValue(2);
        assertThat(admin.callbacks()).extracting(CallbackItem::logId).containsExactly(5L, 6L);
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
        assertThat(admin.awaitCallback(11).handleCode()).isEqualTo(200);
    }

    @Test
    void knowsWhatItRunsAndWhatWaits() throws Exception {
        client.run(trigger(7, "hold", 21));
        holding.await();
        client.run(trigger(7, "hold", 22));
        client.run(trigger(8, "greet", 23));
        admin.awaitCallback(23);

        assertThat(known(20, 21, 22, 23))
                .containsExactly(
                        new Known(21, State.RUNNING),
                        new Known(22, State.QUEUED),
                        new Known(23, State.FINISHED, 200, "hello "));
    }

    @Test
    void failsARunWhoseHandlerThrows() throws Exception {
        client.run(trigger(7, "throw", 31));
        client.run(trigger(7, "overflow", 32));
        client.run(trigger(7, "greet", 33));

        assertThat(admin.awaitCallback(31).handleCode()).isEqualTo(500);
        assertThat(admin.awaitCallback(31).handleMsg())
                .startsWith("java.lang.IllegalStateException: no luck")
                .contains("Caused by: java.io.IOException: disk on fire");
        assertThat(admin.awaitCallback(32).handleMsg()).contains("StackOverflowError");
        assertThat(admin.awaitCallback(33).handleCode()).isEqualTo(200);
        assertThat(log(31)).contains("the handler failed").contains("disk on fire");
    }

    @Test
    void cutsLongMessages() throws Exception {
        client.run(trigger(7, "long", 41));

        assertThat(admin.awaitCallback(41).handleMsg()).hasSize(50_000).endsWith("[cut, 60001 characters in all]");
    }

    @Test
    void servesALogByBytesAndByLines() throws Exception {
        client.run(trigger(7, "greet", 51, "Ünïcode", null));
        admin.awaitCallback(51);

        LogReply lines = LogReply.from(client.post(ExecutorPaths.LOG, new LogRequest(51, TRIGGERED_AT, 2))
                .payloadObject());

        assertThat(log(51))
                .matches("(?s)\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} \\[orth-job-7] greeting Ünïcode\n.*");
        assertThat(lines.fromLine()).isEqualTo(2);
        assertThat(lines.toLine()).isEqualTo(2);
        assertThat(lines.text()).endsWith("[orth-job-7] done\n");
        assertThat(lines.end()).isFalse();
        assertThat(directory.resolve("2030-01-01/51.log")).exists();
    }

    @Test
    void deliversResultsAfterTheAdminWasAway() throws Exception {
        admin.awaitRegistration();
        int port = admin.port();
        admin.close();
        client.run(trigger(7, "greet", 61));
        client.run(trigger(8, "greet", 62));
        awaitFiles(true);

        try (FakeAdmin back = FakeAdmin.startAt(port)) {
            assertThat(back.awaitCallback(61).handleCode()).isEqualTo(200);
            assertThat(back.awaitCallback(62).handleCode()).isEqualTo(200);
            awaitFiles(false);
            executor.stop(Duration.ofSeconds(1));
        }
    }

    @Test
    void failsOverToAnotherAdmin(@TempDir Path other) throws Exception {
        try (FakeAdmin second = FakeAdmin.start();
                OrthExecutor two = OrthExecutor.create(
                                options().admin(second.address()).logPath(other).build(), handlers())
                        .start()) {
            admin.awaitRegistration(r -> r.instance().id().equals(two.instanceId()));
            admin.answer(500);

            new ExecutorClient(two.address()).run(trigger(7, "greet", 71));

            assertThat(second.awaitCallback(71).handleCode()).isEqualTo(200);
            assertThat(second.awaitRegistration().instance().id()).isEqualTo(two.instanceId());
            admin.answer(200);
        }
    }

    @Test
    void finishesAcceptedWorkBeforeItStops() throws Exception {
        client.run(trigger(7, "hold", 81));
        client.run(trigger(7, "greet", 82));
        holding.await();
        Thread stopping = new Thread(() -> executor.stop(Duration.ofSeconds(20)));
        stopping.start();

        Reply late =
                await().until(() -> client.run(trigger(9, "greet", System.nanoTime())), r -> r.code() == Codes.FAIL);
        hold.countDown();
        stopping.join();

        assertThat(late.msg()).isEqualTo("the executor is stopping");
        assertThat(admin.awaitCallback(81).handleCode()).isEqualTo(200);
        assertThat(admin.awaitCallback(82).handleCode()).isEqualTo(200);
        assertThat(admin.removals())
                .singleElement()
                .satisfies(r -> assertThat(r.instance().id()).isEqualTo(executor.instanceId()));
    }

    @Test
    @Tag("must-executor")
    void drainsOnRequestReportsEverythingAndLeaves() throws Exception {
        client.run(trigger(7, "hold", 85));
        client.run(trigger(7, "greet", 86));
        holding.await();

        Reply answer = client.post(ExecutorPaths.DRAIN, Map::of);
        Registration last = admin.awaitRegistration(r -> r.instance().draining());
        Reply plain = client.run(trigger(9, "greet", 87));
        TriggerBatchReply batch = TriggerBatchReply.from(
                client.post(ExecutorPaths.RUN_BATCH, new TriggerBatch(List.of(trigger(9, "greet", 88))))
                        .payloadObject());
        assertThat(admin.removals()).isEmpty();
        hold.countDown();
        Registration leave = admin.awaitRemoval();

        assertThat(answer.code()).isEqualTo(Codes.SUCCESS);
        assertThat(plain).isEqualTo(Reply.fail("the executor is draining"));
        assertThat(batch.outcomes())
                .containsExactly(new TriggerBatchReply.Outcome(88, Codes.UNAVAILABLE, "the executor is draining"));
        assertThat(last.instance().metrics().running()).isEqualTo(1);
        assertThat(last.instance().metrics().queued()).isEqualTo(1);
        assertThat(leave.instance().id()).isEqualTo(executor.instanceId());
        assertThat(admin.callbacks()).extracting(CallbackItem::logId).containsExactly(85L, 86L);
        assertThat(log(86)).as("it still serves logs").contains("greeting");
        assertThat(executor.status().draining()).isTrue();
    }

    @Test
    void doesNotDrainInAnothersStead() throws Exception {
        Reply answer = client.post(ExecutorPaths.DRAIN, () -> Map.of("instanceId", "a-predecessor"));

        assertThat(answer)
                .isEqualTo(Reply.fail("this is instance %s, not a-predecessor".formatted(executor.instanceId())));
        assertThat(executor.status().draining()).isFalse();
        assertThat(client.run(trigger(7, "greet", 74)).code()).isEqualTo(Codes.SUCCESS);
    }

    @Test
    @Tag("must-executor")
    void doesNotLeaveBeforeItsResultsAreConfirmed() throws Exception {
        admin.awaitRegistration();
        admin.refuseCallbacks(item -> true);
        client.run(trigger(7, "greet", 89));
        await().until(() -> executor.status().unsentResults() > 0);

        executor.drain();
        admin.awaitRegistration(r -> r.instance().draining());
        assertThat(admin.removals()).isEmpty();
        admin.refuseCallbacks(item -> false);
        admin.awaitRemoval();

        assertThat(admin.callbacks()).extracting(CallbackItem::logId).containsExactly(89L);
        assertThat(executor.status().unsentResults()).isZero();
    }

    @Test
    void saysHowItDoes(@TempDir Path other) throws Exception {
        ExecutorStatus before = OrthExecutor.create(options().logPath(other).build(), handlers())
                .status();
        client.run(trigger(7, "hold", 83));
        client.run(trigger(7, "hold", 84));
        holding.await();
        await().until(() -> executor.status().registered());

        ExecutorStatus status = executor.status();

        assertThat(before).isEqualTo(new ExecutorStatus(false, null, 0, 0, 0, 0, false));
        assertThat(status.sinceLastBeat()).isBetween(Duration.ZERO, Duration.ofSeconds(30));
        assertThat(status).isEqualTo(new ExecutorStatus(true, status.sinceLastBeat(), 1, 1, 0, 0, false));
    }

    @Test
    @Tag("must-executor")
    void sendsWorkElsewhereWhileNoAdminAcknowledgesItsBeats(@TempDir Path other) throws Exception {
        AtomicLong skipped = new AtomicLong();
        try (OrthExecutor two = executorWith(skipped, other)) {
            admin.awaitRegistration(r -> r.instance().id().equals(two.instanceId()));
            await().until(() -> two.status().registered());
            admin.answer(500);
            ExecutorClient toTwo = new ExecutorClient(two.address());
            await().until(() -> !two.status().registered());

            skipped.set(AdminContact.LEASE.toNanos());
            TriggerBatchReply.Outcome away = outcome(toTwo, 75);
            admin.answer(200);
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
    void endsWhatIsRevokedWhetherItRunsOrWaits() throws Exception {
        client.run(trigger(7, "hold", 78));
        client.run(trigger(7, "greet", 79));
        client.run(trigger(7, "greet", 80));
        holding.await();

        admin.revoke(78L, 79L);

        assertThat(admin.awaitCallback(78).handleMsg()).startsWith("revoked by the admin");
        assertThat(admin.awaitCallback(79).handleMsg()).startsWith("revoked by the admin");
        assertThat(admin.awaitCallback(80).handleCode()).isEqualTo(200);
        assertThat(executions).as("only the one that was not revoked").hasValue(1);
    }

    /** Held up for longer than its admin waited: what was queued may be going on elsewhere by now. */
    @Test
    @Tag("must-executor")
    void startsNothingAfterAPauseBeforeItHasHeardWhatIsRevoked(@TempDir Path other) throws Exception {
        AtomicLong skipped = new AtomicLong();
        try (OrthExecutor two = executorWith(skipped, other)) {
            ExecutorClient toTwo = new ExecutorClient(two.address());
            toTwo.run(trigger(7, "hold", 701));
            holding.await();
            toTwo.run(trigger(7, "greet", 702));
            toTwo.run(trigger(7, "greet", 703));
            await().until(() -> two.status().registered());
            admin.answer(500);
            await().until(() -> !two.status().registered());

            skipped.set(AdminContact.LEASE.toNanos());
            hold.countDown();
            await().until(() -> two.status().running() == 0 && two.status().queued() == 2);
            admin.awaitRequests(3);
            assertThat(executions).as("started while no beat was acknowledged").hasValue(0);
            admin.revoke(702L);
            admin.answer(200);

            assertThat(admin.awaitCallback(701).handleCode())
                    .as("what ran went on")
                    .isEqualTo(200);
            assertThat(admin.awaitCallback(702).handleMsg()).startsWith("revoked by the admin");
            assertThat(admin.awaitCallback(703).handleCode()).isEqualTo(200);
            assertThat(executions).hasValue(1);
        }
    }

    private OrthExecutor executorWith(AtomicLong skippedNanos, Path logPath) {
        return new OrthExecutor(
                        options().logPath(logPath).build(),
                        this::handlers,
                        GlueInjector.NONE,
                        Clock.systemUTC(),
                        () -> System.nanoTime() + skippedNanos.get())
                .start();
    }

    @Test
    @Tag("must-executor")
    void refusesARevokedRunThatArrivesLate() throws Exception {
        admin.revoke(77L);
        admin.awaitRegistrations(2);

        Reply late = client.run(trigger(7, "greet", 77));

        assertThat(late.code()).isEqualTo(Codes.FAIL);
        assertThat(known(77)).isEmpty();
    }

    @Test
    void reportsWhatItCouldNotFinishWhenItStops() throws Exception {
        client.run(trigger(7, "hold", 91));
        client.run(trigger(7, "greet", 92));
        client.run(trigger(8, "stubborn", 93));
        holding.await();

        executor.stop(Duration.ZERO);

        assertThat(admin.awaitCallback(91).handleMsg()).startsWith("java.lang.InterruptedException");
        assertThat(admin.awaitCallback(92).handleMsg()).isEqualTo("not executed: executor stopped");
        assertThat(admin.awaitCallback(93).handleMsg()).isEqualTo("executor stopped while the run was still going on");
        assertThat(admin.callbacks()).hasSize(3);
    }

    @Test
    void startsWithoutAnAdmin(@TempDir Path other) throws Exception {
        int port = admin.port();
        admin.close();

        try (OrthExecutor alone = OrthExecutor.create(options().logPath(other).build(), handlers())
                .start()) {
            new ExecutorClient(alone.address()).run(trigger(7, "greet", 95));
            try (FakeAdmin late = FakeAdmin.startAt(port)) {
                assertThat(late.awaitCallback(95).handleCode()).isEqualTo(200);
                alone.stop(Duration.ZERO);
            }
        }
    }

    @Test
    void refusesADirectoryThatAnotherExecutorUses() {
        OrthExecutor second = OrthExecutor.create(options().build(), handlers());

        assertThatThrownBy(second::start).hasMessageContaining("another executor uses the directory");
    }

    @Test
    void refusesAPortThatIsTakenAndGivesTheDirectoryBack(@TempDir Path other) {
        ExecutorOptions.Builder taken =
                options().logPath(other).port(executor.address().getPort());

        assertThatThrownBy(OrthExecutor.create(taken.build(), handlers())::start)
                .hasMessageContaining("cannot listen");
        OrthExecutor.create(taken.port(0).build(), handlers()).start().close();
    }

    @Test
    void deliversWhatAPredecessorLeftBehind(@TempDir Path other) throws Exception {
        admin.awaitRegistration();
        admin.answer(500);
        OrthExecutor first = OrthExecutor.create(options().logPath(other).build(), handlers())
                .start();
        new ExecutorClient(first.address()).run(trigger(7, "greet", 97));
        first.stop(Duration.ofSeconds(1));
        admin.hang();
        admin.answer(200);

        try (OrthExecutor second = OrthExecutor.create(options().logPath(other).build(), handlers())
                .start()) {
            admin.resume();
            CallbackItem item = admin.awaitCallback(97);
            Registration settled =
                    admin.awaitRegistration(r -> r.instance().id().equals(second.instanceId())
                            && r.instance().leftoversDelivered());

            assertThat(item.instanceId()).isEqualTo(first.instanceId());
            assertThat(settled.instance().id()).isNotEqualTo(first.instanceId());
        }
    }

    private HandlerRegistry handlers() {
        return HandlerRegistry.builder()
                .add("greet", context -> {
                    executions.incrementAndGet();
                    OrthJobHelper.log("greeting {}", context.param());
                    OrthJobHelper.log("done");
                    return RunResult.success("hello " + context.param());
                })
                .add("hold", context -> {
                    holding.countDown();
                    hold.await();
                    return RunResult.success();
                })
                .add("stubborn", context -> {
                    while (hold.getCount() > 0) {
                        try {
                            hold.await();
                        } catch (InterruptedException e) {
                            // That is what makes it stubborn.
                        }
                    }
                    return RunResult.success();
                })
                .add("throw", context -> {
                    throw new IllegalStateException("no luck", new IOException("disk on fire"));
                })
                .add("overflow", context -> {
                    throw new StackOverflowError();
                })
                .add("long", context -> RunResult.fail("x".repeat(60_001)))
                .build();
    }

    private ExecutorOptions.Builder options() {
        return ExecutorOptions.builder()
                .group("tests")
                .admin(admin.address())
                .accessToken(FakeAdmin.TOKEN)
                .logPath(directory)
                .beatInterval(Duration.ofMillis(200))
                .callbackRetryInterval(Duration.ofMillis(500));
    }

    private List<Known> known(Long... logIds) throws Exception {
        Reply reply = client.post(ExecutorPaths.KNOWN_RUNS, new KnownRunsRequest(List.of(logIds)));
        return KnownRuns.from(reply.payloadObject()).runs();
    }

    private List<Known> known(int... logIds) throws Exception {
        return known(Arrays.stream(logIds).asLongStream().boxed().toArray(Long[]::new));
    }

    private String log(long logId) throws Exception {
        Reply reply = client.post(ExecutorPaths.LOG_RANGE, new LogRangeRequest(logId, TRIGGERED_AT, 0, 100_000));
        return LogRange.from(reply.payloadObject()).text();
    }

    private void awaitFiles(boolean some) {
        await().until(() -> {
            try (var files = Files.newDirectoryStream(directory.resolve("callbacklog"), "*.log")) {
                return files.iterator().hasNext() == some;
            }
        });
    }
}
