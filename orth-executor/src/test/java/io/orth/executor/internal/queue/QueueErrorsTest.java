package io.orth.executor.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.RunResult;
import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.LaneSettings;
import io.orth.executor.internal.job.MessageQueue;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.executor.internal.transport.AdminClient;
import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.Json;
import io.orth.protocol.MessageResult;
import io.orth.protocol.WorkRequest;
import io.orth.testkit.FakeAdmin;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors at every point of a message's way: it is reported, and the queue is still worked on. */
@Tag("must-first")
@Timeout(60)
public class QueueErrorsTest {

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private final StartGate gate = new StartGate();

    /** Thrown once at the point that the test has chosen. */
    private final AtomicReference<Error> inHandler = new AtomicReference<>();

    private final AtomicReference<Error> inSink = new AtomicReference<>();
    private final AtomicReference<Error> inDesk = new AtomicReference<>();
    private final AtomicReference<Error> inLedger = new AtomicReference<>();
    private final AtomicReference<Error> inLink = new AtomicReference<>();
    private volatile Predicate<WorkRequest> brokenRequest = request -> true;
    private AdminClient client;
    private JobThreads lanes;
    private Queues queues;

    public static Stream<Error> errors() {
        return Stream.of(
                new NoClassDefFoundError("told to fail"),
                new AssertionError("told to fail"),
                new OutOfMemoryError("told to fail"),
                new StackOverflowError("told to fail"),
                new InternalError("told to fail"));
    }

    @BeforeEach
    void build() {
        client = new AdminClient(List.of(URI.create(admin.address() + "/")), FakeAdmin.TOKEN, Duration.ofSeconds(5));
        RunLogFiles logs = new RunLogFiles(directory, new FragileClock(), 1_000_000);
        RunMemory memory = new RunMemory(100);
        AtomicReference<Queues> sink = new AtomicReference<>();
        lanes = new JobThreads(
                new LaneSettings(Duration.ofSeconds(1), 1, 100, Duration.ofSeconds(1)),
                logs,
                memory,
                (run, result, took) -> {
                    throwOnce(inSink);
                    sink.get().finished(run, result, took);
                },
                gate);
        TriggerDesk desk = new TriggerDesk("me", trigger -> null, logs, memory, lanes, gate);
        MessageQueue emails = new MessageQueue(
                "emails",
                context -> {
                    throwOnce(inHandler);
                    return RunResult.success("sent");
                },
                2,
                Duration.ZERO);
        QueueSettings settings = new QueueSettings(
                "me", new FragileLink(), desk, lanes, gate, Duration.ofSeconds(20), Duration.ofSeconds(5));
        queues = new Queues(Stream.of(emails), queue -> new QueueLine(queue, settings, new FragileLedger()));
        sink.set(queues);
    }

    @AfterEach
    void stop() throws Exception {
        queues.stop(Duration.ofSeconds(5));
        lanes.stop(Duration.ofSeconds(5));
        client.close();
        admin.close();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorOfTheHandlerFailsItsMessage(Error problem) {
        inHandler.set(problem);

        assertThat(resultOfNext(1).code()).isEqualTo(Codes.FAIL);

        assertThatTheQueueIsWorkedOn();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorOfTheSinkCostsOnlyTheText(Error problem) {
        inSink.set(problem);

        MessageResult result = resultOfNext(1);

        assertThat(result.code()).isEqualTo(Codes.SUCCESS);
        assertThat(result.text()).isEqualTo("the text of this result could not be reported");
        assertThatTheQueueIsWorkedOn();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorBeforeTheStartFailsTheMessage(Error problem) {
        inDesk.set(problem);

        MessageResult result = resultOfNext(1);

        assertThat(result.code()).isEqualTo(Codes.FAIL);
        assertThat(result.text()).startsWith("not executed: ").contains("told to fail");
        assertThatTheQueueIsWorkedOn();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorOfAClaimEndsNoThread(Error problem) {
        brokenRequest = request -> request.slots() > 0;
        inLink.set(problem);

        assertThat(resultOfNext(1).code()).isEqualTo(Codes.SUCCESS);

        assertThatTheQueueIsWorkedOn();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorWhileMessagesAreTakenInCostsNoSlot(Error problem) {
        inLedger.set(problem);

        assertThat(resultOfNext(1).code()).isEqualTo(Codes.SUCCESS);

        assertThatTheQueueIsWorkedOn();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorOfAReportEndsNoThread(Error problem) {
        brokenRequest = request -> !request.results().isEmpty();
        inLink.set(problem);

        assertThat(resultOfNext(1).code()).isEqualTo(Codes.SUCCESS);

        assertThatTheQueueIsWorkedOn();
    }

    private MessageResult resultOfNext(long id) {
        admin.queues().push("emails", "");
        queues.start();
        return admin.queues().awaitResult(id);
    }

    /** With every slot. */
    private void assertThatTheQueueIsWorkedOn() {
        for (long id = 2; id <= 6; id++) {
            assertThat(resultOfNext(id).code()).isEqualTo(Codes.SUCCESS);
        }
        admin.queues().awaitRequest(request -> request.slots() == 2);
    }

    private static void throwOnce(AtomicReference<Error> wanted) {
        Error problem = wanted.getAndSet(null);
        if (problem != null) {
            throw problem;
        }
    }

    /** The desk asks which day's log file a message has. */
    private final class FragileClock extends Clock {

        @Override
        public ZoneId getZone() {
            throwOnce(inDesk);
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Clock.systemUTC().instant();
        }
    }

    /** Breaks when it has taken in all messages of a claim. */
    private final class FragileLedger extends MessageLedger {

        FragileLedger() {
            super(2, 2);
        }

        @Override
        Deque<ClaimedMessage> answered(int slots, Collection<ClaimedMessage> messages) {
            return super.answered(slots, messages.isEmpty() ? messages : new Fragile(messages));
        }
    }

    private final class Fragile extends AbstractCollection<ClaimedMessage> {

        private final Collection<ClaimedMessage> messages;

        Fragile(Collection<ClaimedMessage> messages) {
            this.messages = messages;
        }

        @Override
        public Iterator<ClaimedMessage> iterator() {
            Iterator<ClaimedMessage> all = messages.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    if (!all.hasNext()) {
                        throwOnce(inLedger);
                    }
                    return all.hasNext();
                }

                @Override
                public ClaimedMessage next() {
                    return all.next();
                }
            };
        }

        @Override
        public int size() {
            return messages.size();
        }
    }

    private final class FragileLink implements Admins {

        @Override
        public Outcome post(String path, byte[] body) throws InterruptedException {
            return client.post(path, body);
        }

        @Override
        public Outcome post(String path, byte[] body, Limits limits) throws InterruptedException {
            if (brokenRequest.test(WorkRequest.from(Json.readObject(body)))) {
                throwOnce(inLink);
            }
            return client.post(path, body, limits);
        }
    }
}
