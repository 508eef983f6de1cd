package io.orth.executor.internal;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.RunResult;
import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.LaneSettings;
import io.orth.executor.internal.job.RegisteredHandlers;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.executor.internal.log.RunLogReader;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Json;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class ExecutorRoutesTest {

    @TempDir
    Path directory;

    static Stream<Throwable> problems() {
        return Stream.of(
                new IllegalStateException("told to fail"),
                new OutOfMemoryError("unable to create native thread"),
                new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("problems")
    void aTriggerThatCannotBeTakenDoesNotTouchItsNeighbours(Throwable problem) throws Exception {
        RunLogFiles logs = new RunLogFiles(directory, new ClockThatBreaksAtTheSecondTrigger(problem), 1_000);
        RunMemory memory = new RunMemory(10);
        JobThreads lanes = new JobThreads(
                new LaneSettings(Duration.ofSeconds(3), 30, 10, Duration.ofSeconds(10)),
                logs,
                memory,
                (trigger, result) -> {},
                new StartGate());
        HandlerRegistry handlers = HandlerRegistry.builder()
                .add("h", context -> RunResult.success())
                .build();
        Routes routes = new Routes(new ExecutorRoutes(
                "me",
                new TriggerDesk("me", new RegisteredHandlers(handlers), logs, memory, lanes, new StartGate()),
                lanes,
                memory,
                new RunLogReader(logs),
                () -> {}));

        TriggerBatchReply reply =
                routes.run(new TriggerBatch(List.of(trigger(1, "h", 11), trigger(2, "h", 12), trigger(3, "h", 13))));
        lanes.stop(Duration.ofSeconds(20));

        assertThat(reply.outcomes())
                .extracting(TriggerBatchReply.Outcome::logId, TriggerBatchReply.Outcome::code)
                .containsExactly(tuple(11L, 200), tuple(12L, 500), tuple(13L, 200));
        assertThat(reply.outcomes().get(1).msg()).contains(problem.getClass().getSimpleName());
        assertThat(memory.known(List.of(11L, 12L, 13L)))
                .extracting(Known::logId)
                .containsExactly(11L, 13L);
    }

    private record Routes(ExecutorRoutes routes) {

        TriggerBatchReply run(TriggerBatch batch) throws Exception {
            var route = routes.routes().byPath().get(ExecutorPaths.RUN_BATCH);
            byte[] answer = Json.write(route.handler().answer(Json.write(batch)));
            return TriggerBatchReply.from(Reply.from(Json.readObject(answer)).payloadObject());
        }
    }

    /** The desk asks for the zone once per trigger; lanes, which ask as well, do so on their own threads. */
    private static final class ClockThatBreaksAtTheSecondTrigger extends Clock {

        private final Throwable problem;
        private final Thread desk = Thread.currentThread();
        private int asked;

        ClockThatBreaksAtTheSecondTrigger(Throwable problem) {
            this.problem = problem;
        }

        @Override
        public ZoneId getZone() {
            if (Thread.currentThread() == desk && ++asked == 2) {
                if (problem instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) problem;
            }
            return ZoneOffset.UTC;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
