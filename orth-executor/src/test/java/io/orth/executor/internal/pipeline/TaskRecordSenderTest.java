package io.orth.executor.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.internal.transport.AdminClient;
import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskStepsReply;
import io.orth.testkit.FakeAdmin;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
class TaskRecordSenderTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration RETRY_TIME = Duration.ofMillis(500);

    private final FakeAdmin admin = FakeAdmin.start();
    private final AdminClient client =
            new AdminClient(List.of(URI.create(admin.address() + "/")), FakeAdmin.TOKEN, TIMEOUT);
    private final AtomicInteger requests = new AtomicInteger();
    private final List<TaskRecordSender<?, ?>> started = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        admin.tasks().letGo();
        for (TaskRecordSender<?, ?> sender : started) {
            sender.stop(System.nanoTime() + TIMEOUT.toNanos());
        }
        client.close();
        admin.close();
    }

    @Test
    void sendsRecordsThatArriveDuringARequestTogether() {
        admin.tasks().holdBack(AdminPaths.TASK_STEPS);
        TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender = start(client);
        CompletableFuture<TaskStepsReply.Item> first = sender.send(step(1), 10);
        Awaitility.await().until(() -> !admin.tasks().stepRequests().isEmpty());
        List<CompletableFuture<TaskStepsReply.Item>> others = sendSteps(sender, 2, 40);

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
    void noErrorEndsTheSender(Error problem) throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender = start((path, body) -> {
            if (broken.compareAndSet(false, true)) {
                throw problem;
            }
            return client.post(path, body);
        });

        CompletableFuture<TaskStepsReply.Item> answer = sender.send(step(1), 10);

        assertThat(answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).taskId()).isEqualTo(1);
        assertThat(broken).isTrue();
    }

    @Test
    @Tag("must-kernel")
    void onlyTheRejectedRecordOfABatchFails() {
        TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender = sender(rejecting(7));
        List<CompletableFuture<TaskStepsReply.Item>> responses = sendSteps(sender, 1, 100);

        launch(sender);

        CompletableFuture<TaskStepsReply.Item> rejected = responses.remove(6);
        assertThat(responses)
                .extracting(response -> response.join().taskId())
                .hasSize(99)
                .doesNotContain(7L);
        assertThatThrownBy(() -> rejected.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .hasCause(new TaskRecordSender.RejectedException("7 is bad"));
        assertThat(admin.tasks().steps()).hasSize(99);
    }

    @Test
    @Tag("must-kernel")
    void otherRecordsPassARejectedOne() {
        TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender = launch(sender(rejecting(1), TIMEOUT));
        CompletableFuture<TaskStepsReply.Item> rejected = sender.send(step(1), 10);
        Awaitility.await().until(() -> requests.get() > 0);

        for (long id = 2; id <= 50; id++) {
            assertThat(sender.send(step(id), 10).join().taskId()).isEqualTo(id);
        }

        assertThat(rejected).isNotDone();
        rejected.cancel(false);
    }

    @Test
    @Tag("must-kernel")
    void keepsRecordsUntilAnAdminIsReached() {
        AtomicInteger failures = new AtomicInteger(2);
        TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender = sender((path, body) ->
                failures.getAndDecrement() > 0 ? new Outcome.Unreachable("no admin") : client.post(path, body));
        List<CompletableFuture<TaskStepsReply.Item>> responses = sendSteps(sender, 1, 3);

        launch(sender);

        assertThat(responses).extracting(response -> response.join().taskId()).containsExactly(1L, 2L, 3L);
        assertThat(admin.tasks().stepRequests()).hasSize(1);
    }

    @Test
    @Tag("must-kernel")
    void stopsAfterAFewRequestsWhenEverythingIsRejected() {
        TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender = sender((path, body) -> {
            requests.incrementAndGet();
            return new Outcome.Refused("draining");
        });
        List<CompletableFuture<TaskStepsReply.Item>> responses = sendSteps(sender, 1, 8);

        launch(sender);

        assertThat(responses)
                .allSatisfy(response -> assertThatThrownBy(() -> response.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                        .hasCause(new TaskRecordSender.RejectedException("draining")));
        // 8 records in at most some 5 rounds: without the records' own delays there would be thousands.
        assertThat(requests).hasValueLessThan(100);
    }

    @Test
    @Tag("must-kernel")
    void unsentRecordsFailWhenTheSenderStops() throws Exception {
        TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender =
                start((path, body) -> new Outcome.Unreachable("no admin"));
        CompletableFuture<TaskStepsReply.Item> unsent = sender.send(step(1), 10);

        sender.stop(System.nanoTime());

        assertThatThrownBy(unsent::get).hasCause(new TaskRecordSender.StoppedException());
        assertThatThrownBy(sender.send(step(2), 10)::get).hasCause(new TaskRecordSender.StoppedException());
    }

    @Test
    @Tag("must-kernel")
    void aWithdrawnRecordIsNotSent() {
        TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender = sender(client);
        sender.send(step(1), 10).cancel(false);
        CompletableFuture<TaskStepsReply.Item> second = sender.send(step(2), 10);

        launch(sender);

        assertThat(second.join().taskId()).isEqualTo(2);
        assertThat(admin.tasks().steps()).extracting(TaskSteps.Item::taskId).containsExactly(2L);
    }

    /** Rejects requests with this task. */
    private Admins rejecting(long taskId) {
        return (path, body) -> {
            requests.incrementAndGet();
            boolean bad =
                    TaskSteps.from(Json.readObject(body)).items().stream().anyMatch(item -> item.taskId() == taskId);
            return bad ? new Outcome.Refused(taskId + " is bad") : client.post(path, body);
        };
    }

    private static List<CompletableFuture<TaskStepsReply.Item>> sendSteps(
            TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender, long first, long last) {
        List<CompletableFuture<TaskStepsReply.Item>> responses = new ArrayList<>();
        for (long id = first; id <= last; id++) {
            responses.add(sender.send(step(id), 10));
        }
        return responses;
    }

    private static TaskSteps.Item step(long taskId) {
        return new TaskSteps.Item(taskId, 1, "{}");
    }

    private TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> start(Admins admins) {
        return launch(sender(admins));
    }

    private TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> launch(
            TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender) {
        sender.start();
        started.add(sender);
        return sender;
    }

    private static TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender(Admins admins) {
        return sender(admins, RETRY_TIME);
    }

    private static TaskRecordSender<TaskSteps.Item, TaskStepsReply.Item> sender(Admins admins, Duration retryTime) {
        return new TaskRecordSender<>(
                new TaskRecordSender.Route<>(
                        "steps",
                        AdminPaths.TASK_STEPS,
                        items -> new TaskSteps("me", items),
                        reply -> TaskStepsReply.from(reply).items(),
                        TIMEOUT,
                        retryTime),
                admins);
    }
}
