package io.orth.executor.internal;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.RunResult;
import io.orth.executor.Triggers;
import io.orth.executor.internal.job.HandlerSource;
import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.LaneSettings;
import io.orth.executor.internal.job.RegisteredHandlers;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.executor.internal.log.RunLogReader;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Json;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.protocol.TriggerRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
    void rejectedTriggerDoesNotAffectOthers(Throwable problem) throws Exception {
        RunLogFiles logs = new RunLogFiles(directory, Clock.systemUTC(), 1_000);
        RunMemory memory = new RunMemory(10);
        JobThreads lanes = new JobThreads(
                new LaneSettings(Duration.ofSeconds(3), 30, 10, Duration.ofSeconds(10)),
                logs,
                memory,
                (run, result, took) -> {},
                new StartGate());
        HandlerSource handlers = trigger -> {
            if (trigger.logId() == 12) {
                throwUnchecked(problem);
            }
            return context -> RunResult.success();
        };
        Routes routes = new Routes(new ExecutorRoutes(
                "me",
                new TriggerDesk("me", handlers, logs, memory, lanes, new StartGate()),
                lanes,
                memory,
                new RunLogReader(logs, memory::progress),
                new Unsent()));

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

    @Test
    @Tag("must-executor")
    void idleBeatReportsWhetherTheJobRunsOrIsQueued() throws Exception {
        Executor executor = new Executor();

        assertThat(executor.post(ExecutorPaths.IDLE_BEAT, "{\"jobId\":7}").code())
                .isEqualTo(200);
        executor.run(11);

        Reply busy = executor.post(ExecutorPaths.IDLE_BEAT, "{\"jobId\":7}");
        assertThat(busy.code()).isEqualTo(500);
        assertThat(busy.msg()).isEqualTo("job thread is running or has trigger queue.");
        assertThat(executor.post(ExecutorPaths.IDLE_BEAT, "{\"jobId\":8}").code())
                .isEqualTo(200);
        executor.stop();
    }

    @Test
    @Tag("must-executor")
    void killReportsWhetherAnythingRan() throws Exception {
        Executor executor = new Executor();
        executor.run(11);
        executor.run(12);

        Reply killed = executor.post(ExecutorPaths.KILL, "{\"jobId\":7}");
        await().until(() -> executor.lanes.size() == 0);
        Reply again = executor.post(ExecutorPaths.KILL, "{\"jobId\":7}");

        assertThat(killed).isEqualTo(new Reply(200, null, null));
        assertThat(again).isEqualTo(new Reply(200, "job thread already killed.", null));
        assertThat(executor.results)
                .containsExactly(
                        "11:500 scheduling center kill job. [job running, killed]",
                        "12:500 scheduling center kill job. [job not executed, in the job queue, killed.]");
        executor.stop();
    }

    @Test
    @Tag("must-executor")
    void killByLogIdKillsRunsAndReturnsTheirState() throws Exception {
        Executor executor = new Executor();
        executor.run(11);
        executor.run(12);
        executor.run(13);

        Reply reply = executor.post(ExecutorPaths.KILL_RUNS, "{\"logIds\":[11,13,99],\"reason\":\"killed by ann\"}");

        assertThat(KnownRuns.from(reply.payloadObject()).runs())
                .containsExactly(new Known(11, State.RUNNING), new Known(13, State.QUEUED));
        assertThat(executor.results)
                .containsExactlyInAnyOrder(
                        "11:500 killed by ann [job running, killed]",
                        "13:500 killed by ann [job not executed, in the job queue, killed.]");
        assertThat(KnownRuns.from(executor.post(ExecutorPaths.KNOWN_RUNS, "{\"logIds\":[11]}")
                                .payloadObject())
                        .runs())
                .containsExactly(new Known(11, State.FINISHED, 500, "killed by ann [job running, killed]"));
        executor.stop();
    }

    @Test
    @Tag("must-first")
    void reportsUnconfirmedResults() throws Exception {
        Executor executor = new Executor();
        executor.run(11);
        executor.post(ExecutorPaths.KILL_RUNS, "{\"logIds\":[11],\"reason\":\"killed by ann\"}");
        executor.unsent.ofRuns = 4;
        executor.unsent.ofMessages = Set.of(11L, 98L);

        Reply reply = executor.post(ExecutorPaths.KNOWN_RUNS, "{\"logIds\":[11,98,99]}");

        assertThat(KnownRuns.from(reply.payloadObject()))
                .isEqualTo(new KnownRuns(
                        "me",
                        List.of(
                                new Known(11, State.FINISHED, 500, "killed by ann [job running, killed]").asUnsent(),
                                new Known(98, State.FINISHED).asUnsent()),
                        4));
        executor.stop();
    }

    @Test
    @Tag("must-executor")
    void acceptsTriggerOnItsNewPath() throws Exception {
        Executor executor = new Executor();

        assertThat(executor.post(ExecutorPaths.TRIGGER, Json.write(trigger(7, "h", 11)))
                        .code())
                .isEqualTo(200);

        executor.stop();
        assertThat(executor.results).hasSize(1);
    }

    @Test
    void rejectsConcurrencyAboveLimit() throws Exception {
        Executor executor = new Executor();
        byte[] body = Json.write(TriggerRequest.of(7, "h", 11, Triggers.TRIGGERED_AT)
                .blockStrategy(BlockStrategy.CONCURRENT)
                .concurrency(10_001)
                .build());

        assertThat(executor.post(ExecutorPaths.RUN, body).msg())
                .isEqualTo("executorConcurrency must be at most 10000, got 10001");
        executor.stop();
    }

    /** Results that wait as the test says. */
    private static final class Unsent implements UnsentResults {

        private volatile long ofRuns;
        private volatile Set<Long> ofMessages = Set.of();

        @Override
        public long ofRuns() {
            return ofRuns;
        }

        @Override
        public Set<Long> ofMessages(Collection<Long> logIds) {
            Set<Long> found = new HashSet<>(ofMessages);
            found.retainAll(logIds);
            return found;
        }
    }

    /** The routes over real lanes, with a handler that runs until it is interrupted. */
    private final class Executor {

        private final RunMemory memory = new RunMemory(10);
        private final List<String> results = Collections.synchronizedList(new ArrayList<>());
        private final Semaphore begun = new Semaphore(0);
        private final JobThreads lanes;
        private final ExecutorRoutes routes;
        private final Unsent unsent = new Unsent();
        private boolean first = true;

        Executor() {
            StartGate gate = new StartGate();
            RunLogFiles logs = new RunLogFiles(directory, Clock.systemUTC(), 1_000);
            lanes = new JobThreads(
                    new LaneSettings(Duration.ofSeconds(3), 30, 10, Duration.ofSeconds(10)),
                    logs,
                    memory,
                    (run, result, took) -> results.add(run.logId() + ":" + result.code() + " " + result.text()),
                    gate);
            HandlerRegistry handlers = HandlerRegistry.builder()
                    .add("h", context -> {
                        begun.release();
                        new CountDownLatch(1).await();
                        return RunResult.success();
                    })
                    .build();
            TriggerDesk desk = new TriggerDesk("me", new RegisteredHandlers(handlers), logs, memory, lanes, gate);
            routes = new ExecutorRoutes("me", desk, lanes, memory, new RunLogReader(logs, memory::progress), unsent);
        }

        /** Returns when the first one has started; the others are queued behind it. */
        void run(long logId) throws Exception {
            assertThat(post(ExecutorPaths.RUN, Json.write(trigger(7, "h", logId))))
                    .isEqualTo(Reply.ok());
            if (first) {
                begun.acquire();
                first = false;
            }
        }

        Reply post(String path, String body) throws Exception {
            return post(path, body.getBytes(StandardCharsets.UTF_8));
        }

        Reply post(String path, byte[] body) throws Exception {
            byte[] answer = Json.write(
                    routes.routes(() -> {}).byPath().get(path).handler().answer(body));
            return Reply.from(Json.readObject(answer));
        }

        void stop() throws InterruptedException {
            lanes.stop(Duration.ZERO);
        }
    }

    private record Routes(ExecutorRoutes routes) {

        TriggerBatchReply run(TriggerBatch batch) throws Exception {
            var route = routes.routes(() -> {}).byPath().get(ExecutorPaths.RUN_BATCH);
            byte[] answer = Json.write(route.handler().answer(Json.write(batch)));
            return TriggerBatchReply.from(Reply.from(Json.readObject(answer)).payloadObject());
        }
    }

    private static void throwUnchecked(Throwable problem) {
        if (problem instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) problem;
    }
}
