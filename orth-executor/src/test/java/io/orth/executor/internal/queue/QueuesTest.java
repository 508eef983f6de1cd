package io.orth.executor.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.RunResult;
import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.LaneSettings;
import io.orth.executor.internal.job.MessageQueue;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.executor.internal.transport.AdminClient;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.testkit.FakeAdmin;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that control the gate, or need queues without an executor. */
@Tag("must-queues")
@Timeout(60)
class QueuesTest {

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private final StartGate gate = new StartGate();
    private final AtomicInteger executions = new AtomicInteger();
    private AdminClient client;
    private JobThreads lanes;
    private Queues queues;

    @BeforeEach
    void build() {
        client = new AdminClient(List.of(URI.create(admin.address() + "/")), FakeAdmin.TOKEN, Duration.ofSeconds(5));
        RunLogFiles logs = new RunLogFiles(directory, Clock.systemUTC(), 1_000_000);
        RunMemory memory = new RunMemory(100);
        AtomicReference<Queues> sink = new AtomicReference<>();
        lanes = new JobThreads(
                new LaneSettings(Duration.ofSeconds(1), 1, 100, Duration.ofSeconds(1)),
                logs,
                memory,
                (run, result, took) -> sink.get().finished(run, result, took),
                gate);
        TriggerDesk desk = new TriggerDesk("me", trigger -> null, logs, memory, lanes, gate);
        MessageQueue emails = new MessageQueue(
                "emails",
                context -> {
                    executions.incrementAndGet();
                    return RunResult.success();
                },
                2,
                Duration.ZERO);
        queues = new Queues(
                Stream.of(emails),
                new QueueSettings("me", client, desk, lanes, gate, Duration.ofSeconds(20), Duration.ofSeconds(5)));
        sink.set(queues);
    }

    @AfterEach
    void stop() throws Exception {
        gate.open();
        queues.stop(Duration.ofSeconds(5));
        lanes.stop(Duration.ofSeconds(5));
        client.close();
        admin.close();
    }

    @Test
    void claimsNothingWhileGateIsClosed() {
        gate.close();
        admin.queues().push("emails", "");
        queues.start();
        assertThat(admin.queues().requests()).isEmpty();

        gate.open();

        assertThat(admin.queues().awaitResult(1).code()).isEqualTo(Codes.SUCCESS);
        assertThat(executions).hasValue(1);
    }

    @Test
    void releasesMessagesWhileGateIsClosed() {
        queues.start();
        admin.queues().awaitRequest(request -> request.slots() == 2);
        gate.close();

        admin.queues().push("emails", "");

        assertThat(admin.queues().awaitResult(1))
                .isEqualTo(new MessageResult(1, 1_000_001, Codes.NONE, null, false, null, 0));
        assertThat(executions).hasValue(0);
    }

    @Test
    void startsOnceAndNeverAfterItWasClosed() throws Exception {
        queues.close();
        queues.start();
        queues.stop(Duration.ofSeconds(5));

        assertThat(queues.allDelivered()).isTrue();
        assertThat(admin.queues().requests()).isEmpty();
    }

    @Test
    void givesUpResultsThatNoAdminTakesInTime() throws Exception {
        queues.start();
        admin.queues().awaitRequest(request -> request.slots() == 2);
        admin.queues().loseAnswersTo(request -> !request.results().isEmpty());
        admin.queues().push("emails", "");
        await().until(() -> executions.get() == 1);

        queues.stop(Duration.ofMillis(300));

        assertThat(queues.unsent()).isEqualTo(1);
        assertThat(queues.allDelivered()).isFalse();
    }

    @Test
    void aFewSlotsAreNotDivided() {
        assertThat(QueueLine.strandsFor(1)).isEqualTo(1);
        assertThat(QueueLine.strandsFor(127)).isEqualTo(1);
        assertThat(QueueLine.strandsFor(128)).isEqualTo(2);
        assertThat(QueueLine.strandsFor(10_000)).isEqualTo(2);
    }
}
