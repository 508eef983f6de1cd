package io.orth.executor;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.Registration;
import io.orth.protocol.Reply;
import io.orth.testkit.FakeAdmin;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How an executor starts, and how it ends: with an admin or without one, with time or without. */
@Timeout(60)
class ExecutorStartStopTest {

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
    void finishesAcceptedWorkBeforeItStops() throws Exception {
        client.run(trigger(7, "hold", 81));
        client.run(trigger(7, "greet", 82));
        room.holding.await();
        Thread stopping = new Thread(() -> executor.stop(Duration.ofSeconds(20)));
        stopping.start();

        Reply late =
                await().until(() -> client.run(trigger(9, "greet", System.nanoTime())), r -> r.code() == Codes.FAIL);
        room.hold.countDown();
        stopping.join();

        assertThat(late.msg()).isEqualTo("the executor is stopping");
        assertThat(room.admin.awaitCallback(81).handleCode()).isEqualTo(200);
        assertThat(room.admin.awaitCallback(82).handleCode()).isEqualTo(200);
        assertThat(room.admin.removals())
                .singleElement()
                .satisfies(r -> assertThat(r.instance().id()).isEqualTo(executor.instanceId()));
    }

    @Test
    void reportsUnfinishedRunsWhenStopping() throws Exception {
        client.run(trigger(7, "hold", 91));
        client.run(trigger(7, "greet", 92));
        client.run(trigger(8, "stubborn", 93));
        room.holding.await();
        room.stubborn.await();

        executor.stop(Duration.ZERO);

        assertThat(room.admin.awaitCallback(91).handleMsg()).startsWith("java.lang.InterruptedException");
        assertThat(room.admin.awaitCallback(92).handleMsg()).isEqualTo("not executed: executor stopped");
        assertThat(room.admin.awaitCallback(93).handleMsg())
                .isEqualTo("executor stopped while the run was still going on");
        assertThat(room.admin.callbacks()).hasSize(3);
    }

    @Test
    void startsWithoutAnAdmin(@TempDir Path other) throws Exception {
        int port = room.admin.port();
        room.admin.close();

        try (OrthExecutor alone = OrthExecutor.create(
                        room.options().logPath(other).build(), room.handlers())
                .start()) {
            new ExecutorClient(alone.address()).run(trigger(7, "greet", 95));
            try (FakeAdmin late = FakeAdmin.startAt(port)) {
                assertThat(late.awaitCallback(95).handleCode()).isEqualTo(200);
                alone.stop(Duration.ZERO);
            }
        }
    }

    @Test
    void rejectsDirectoryThatAnotherExecutorUses() {
        OrthExecutor second = OrthExecutor.create(room.options().build(), room.handlers());

        assertThatThrownBy(second::start).hasMessageContaining("another executor uses the directory");
    }

    @Test
    void rejectsPortInUseAndReleasesDirectory(@TempDir Path other) {
        ExecutorOptions.Builder taken =
                room.options().logPath(other).port(executor.address().getPort());

        assertThatThrownBy(OrthExecutor.create(taken.build(), room.handlers())::start)
                .hasMessageContaining("cannot listen");
        OrthExecutor.create(taken.port(0).build(), room.handlers()).start().close();
    }

    @Test
    void deliversResultsLeftByPredecessor(@TempDir Path other) throws Exception {
        room.admin.awaitRegistration();
        room.admin.answer(500);
        OrthExecutor first = OrthExecutor.create(room.options().logPath(other).build(), room.handlers())
                .start();
        new ExecutorClient(first.address()).run(trigger(7, "greet", 97));
        first.stop(Duration.ofSeconds(1));
        room.admin.hang();
        room.admin.answer(200);

        try (OrthExecutor second = OrthExecutor.create(
                        room.options().logPath(other).build(), room.handlers())
                .start()) {
            room.admin.resume();
            CallbackItem item = room.admin.awaitCallback(97);
            Registration settled =
                    room.admin.awaitRegistration(r -> r.instance().id().equals(second.instanceId())
                            && r.instance().leftoversDelivered());

            assertThat(item.instanceId()).isEqualTo(first.instanceId());
            assertThat(settled.instance().id()).isNotEqualTo(first.instanceId());
        }
    }
}
