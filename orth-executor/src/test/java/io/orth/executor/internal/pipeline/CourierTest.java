package io.orth.executor.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.internal.transport.AdminClient;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import io.orth.testkit.FakeAdmin;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("must-pipelines")
@Timeout(60)
class CourierTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final FakeAdmin admin = FakeAdmin.start();
    private final AdminClient client =
            new AdminClient(List.of(URI.create(admin.address() + "/")), FakeAdmin.TOKEN, TIMEOUT);
    private final Courier<TaskSteps.Item, TaskStepsReply.Item> courier = new Courier<>(
            new Courier.Route<>(
                    "steps",
                    AdminPaths.TASK_STEPS,
                    items -> new TaskSteps("me", items),
                    reply -> TaskStepsReply.from(reply).items(),
                    TIMEOUT,
                    TIMEOUT),
            client);

    @AfterEach
    void stop() throws Exception {
        admin.tasks().letGo();
        courier.stop(System.nanoTime() + TIMEOUT.toNanos());
        client.close();
        admin.close();
    }

    @Test
    void whatComesWhileARequestIsUnderWayGoesTogetherWithTheNext() {
        admin.tasks().holdBack(AdminPaths.TASK_STEPS);
        courier.start();
        CompletableFuture<TaskStepsReply.Item> first = send(1);
        Awaitility.await().until(() -> !admin.tasks().stepRequests().isEmpty());
        List<CompletableFuture<TaskStepsReply.Item>> others =
                LongStream.rangeClosed(2, 40).mapToObj(this::send).toList();

        admin.tasks().letGo();

        assertThat(first.join().taskId()).isEqualTo(1);
        assertThat(others)
                .extracting(answer -> answer.join().taskId())
                .containsExactlyElementsOf(LongStream.rangeClosed(2, 40).boxed().toList());
        assertThat(admin.tasks().stepRequests())
                .extracting(request -> request.items().size())
                .containsExactly(1, 39);
    }

    @ParameterizedTest
    @MethodSource("io.orth.executor.internal.queue.QueueErrorsTest#errors")
    @Tag("must-first")
    void noErrorEndsTheCourier(Error problem) throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        Courier<TaskSteps.Item, TaskStepsReply.Item> fragile = new Courier<>(
                new Courier.Route<>(
                        "steps",
                        AdminPaths.TASK_STEPS,
                        items -> {
                            if (broken.compareAndSet(false, true)) {
                                throw problem;
                            }
                            return new TaskSteps("me", items);
                        },
                        reply -> TaskStepsReply.from(reply).items(),
                        TIMEOUT,
                        TIMEOUT),
                client);
        fragile.start();

        CompletableFuture<TaskStepsReply.Item> answer = fragile.send(new TaskSteps.Item(1, 1, "{}"), 10);

        assertThat(answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).taskId()).isEqualTo(1);
        assertThat(broken).isTrue();
        fragile.stop(System.nanoTime() + TIMEOUT.toNanos());
    }

    private CompletableFuture<TaskStepsReply.Item> send(long taskId) {
        return courier.send(new TaskSteps.Item(taskId, 1, "{}"), 10);
    }
}
