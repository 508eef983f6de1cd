package io.orth.executor.internal.job;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class JobThreadsTest {

    private static final Duration NEVER = Duration.ofHours(1);

    @TempDir
    Path directory;

    private final RunMemory memory = new RunMemory(1_000);
    private final List<String> results = Collections.synchronizedList(new ArrayList<>());
    private final List<String> texts = Collections.synchronizedList(new ArrayList<>());
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());

    @Test
    void doesTheRunsOfAJobInOrderOnItsOwnThread() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 100);
        List<String> threads = Collections.synchronizedList(new ArrayList<>());
        JobHandler handler = context -> {
            threads.add(Thread.currentThread().getName());
            return RunResult.success();
        };

        for (int logId = 1; logId <= 50; logId++) {
            lanes.submit(new Work(trigger(7, "h", logId), handler));
        }
        lanes.stop(Duration.ofSeconds(20));

        assertThat(results).hasSize(50).startsWith("1:200", "2:200").endsWith("50:200");
        assertThat(threads).containsOnly("orth-job-7");
    }

    @Test
    void rejectsMoreThanTheQueueHolds() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 2);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        JobHandler handler = context -> {
            begun.countDown();
            release.await();
            return RunResult.success();
        };
        lanes.submit(new Work(trigger(7, "h", 1), handler));
        begun.await();

        assertThat(lanes.submit(new Work(trigger(7, "h", 2), handler))).isEmpty();
        assertThat(lanes.submit(new Work(trigger(7, "h", 3), handler))).isEmpty();
        assertThat(lanes.submit(new Work(trigger(7, "h", 4), handler)))
                .contains("job 7 already has 2 triggers waiting on this executor");
        assertThat(lanes.submit(new Work(trigger(8, "h", 5), handler))).isEmpty();
        release.countDown();
        lanes.stop(Duration.ofSeconds(20));
        assertThat(results).containsExactlyInAnyOrder("1:200", "2:200", "3:200", "5:200");
    }

    @Test
    void anIdleLaneEndsAndTheNextTriggerStartsAnother() {
        JobThreads lanes = lanes(Duration.ofMillis(1), 3, 10);
        RecordingHandler handler = new RecordingHandler("a");

        lanes.submit(new Work(trigger(7, "h", 1), handler));
        await().until(() -> lanes.size() == 0);
        await().until(() -> events.contains("destroy a"));
        lanes.submit(new Work(trigger(7, "h", 2), handler));
        await().until(() -> events.size() == 6);

        assertThat(events).containsExactly("init a", "run a", "destroy a", "init a", "run a", "destroy a");
    }

    @Test
    void initialisesAHandlerOnceForManyRuns() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 10);
        RecordingHandler handler = new RecordingHandler("a");

        lanes.submit(new Work(trigger(7, "h", 1), handler));
        lanes.submit(new Work(trigger(7, "h", 2), handler));
        lanes.stop(Duration.ofSeconds(20));

        assertThat(events).containsExactly("init a", "run a", "run a", "destroy a");
    }

    @Test
    void aHandlerIsDestroyedOnlyWhenNoLaneUsesIt() throws Exception {
        JobThreads lanes = lanes(Duration.ofMillis(1), 3, 10);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        JobHandler handler = new RecordingHandler("a") {
            @Override
            public RunResult execute(OrthJobContext context) {
                if (context.jobId() == 7) {
                    begun.countDown();
                    awaitQuietly(release);
                }
                return super.execute(context);
            }
        };
        lanes.submit(new Work(trigger(7, "h", 1), handler));
        begun.await();

        lanes.submit(new Work(trigger(8, "h", 2), handler));
        await().until(() -> lanes.size() == 1);
        release.countDown();
        await().until(() -> events.contains("destroy a"));

        assertThat(events).containsExactly("init a", "run a", "run a", "destroy a");
    }

    @Test
    void replacesHandlerBetweenRuns() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 10);

        lanes.submit(new Work(trigger(7, "h", 1), new RecordingHandler("a")));
        lanes.submit(new Work(trigger(7, "h", 2), new RecordingHandler("b")));
        lanes.stop(Duration.ofSeconds(20));

        assertThat(events).containsExactly("init a", "run a", "destroy a", "init b", "run b", "destroy b");
    }

    @Test
    void failedInitFailsRunAndIsRetried() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 10);
        AtomicInteger attempts = new AtomicInteger();
        JobHandler handler = new JobHandler() {
            @Override
            public void init() {
                if (attempts.incrementAndGet() == 1) {
                    throw new IllegalStateException("not yet");
                }
            }

            @Override
            public RunResult execute(OrthJobContext context) {
                return RunResult.success();
            }
        };

        lanes.submit(new Work(trigger(7, "h", 1), handler));
        lanes.submit(new Work(trigger(7, "h", 2), handler));
        lanes.stop(Duration.ofSeconds(20));

        assertThat(results).containsExactly("1:500", "2:200");
    }

    @Test
    void undescribableFailureFailsOnlyItsRun() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 10);
        JobHandler handler = context -> {
            if (context.logId() == 1) {
                throw new ProblemWithoutWords();
            }
            return RunResult.success();
        };

        lanes.submit(new Work(trigger(7, "h", 1), handler));
        lanes.submit(new Work(trigger(7, "h", 2), handler));
        lanes.stop(Duration.ofSeconds(20));

        assertThat(results).containsExactly("1:500", "2:200");
        assertThat(texts.get(0))
                .isEqualTo("failed with %s, which could not be described", ProblemWithoutWords.class.getName());
    }

    @Test
    void unreportableResultDoesNotAffectOtherRuns() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 10, (run, result, took) -> {
            if (run.logId() == 1) {
                throw new OutOfMemoryError("told to fail");
            }
            record(run, result, took);
        });

        for (int logId = 1; logId <= 3; logId++) {
            lanes.submit(new Work(trigger(7, "h", logId), context -> RunResult.success("done")));
        }
        lanes.stop(Duration.ofSeconds(20));

        assertThat(results).containsExactly("2:200", "3:200");
        assertThat(memory.known(List.of(1L))).containsExactly(new Known(1, State.FINISHED, 200, "done"));
    }

    @ParameterizedTest
    @MethodSource("io.orth.executor.internal.queue.QueueErrorsTest#errors")
    @Tag("must-first")
    void reportsResultWithoutTextThatBreaksTheSink(Error problem) throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 10, (run, result, took) -> {
            if ("breaks".equals(result.text())) {
                throw problem;
            }
            record(run, result, took);
        });

        lanes.submit(new Work(trigger(7, "h", 1), context -> RunResult.success("breaks")));
        lanes.submit(new Work(trigger(7, "h", 2), context -> RunResult.failForGood("breaks")));
        lanes.submit(new Work(trigger(7, "h", 3), context -> RunResult.success("done")));
        lanes.stop(Duration.ofSeconds(20));

        assertThat(results).containsExactly("1:200", "2:500", "3:200");
        assertThat(texts.get(0)).isEqualTo("the text of this result could not be reported");
        assertThat(memory.known(List.of(1L))).containsExactly(new Known(1, State.FINISHED, 200, "breaks"));
    }

    @Test
    void clearsInterruptBetweenRuns() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 10);
        List<Boolean> interrupted = Collections.synchronizedList(new ArrayList<>());
        JobHandler handler = context -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            return RunResult.success();
        };

        lanes.submit(new Work(trigger(7, "h", 1), handler));
        lanes.submit(new Work(trigger(7, "h", 2), handler));
        lanes.stop(Duration.ofSeconds(20));

        assertThat(interrupted).containsExactly(false, false);
    }

    @Test
    void threadsOfAHandlerInheritItsRun() throws Exception {
        JobThreads lanes = lanes(NEVER, 30, 10);
        AtomicReference<OrthJobContext> inChild = new AtomicReference<>();
        AtomicReference<OrthJobContext> inPool = new AtomicReference<>();
        AtomicReference<Optional<OrthJobContext>> later = new AtomicReference<>();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(() -> {}).get();
        JobHandler handler = context -> {
            Thread child = new Thread(() -> {
                inChild.set(OrthJobContext.current().orElseThrow());
                OrthJobHelper.log("from the child");
                OrthJobHelper.handleFail("the child says no");
            });
            child.start();
            child.join();
            pool.submit(OrthJobHelper.wrap(
                            () -> inPool.set(OrthJobContext.current().orElseThrow())))
                    .get();
            pool.submit(() -> later.set(OrthJobContext.current())).get();
            return RunResult.success();
        };

        lanes.submit(new Work(trigger(7, "h", 4, "p", null), handler));
        lanes.stop(Duration.ofSeconds(20));
        pool.shutdown();

        assertThat(inChild.get().logId()).isEqualTo(4);
        assertThat(inChild.get().param()).isEqualTo("p");
        assertThat(inChild.get().scheduleTime()).isEqualTo(Instant.parse("2030-01-01T11:59:59.995Z"));
        assertThat(inChild.get().triggerTime()).isEqualTo(Instant.parse("2030-01-01T12:00:00Z"));
        assertThat(inChild.get().traceId()).isEqualTo("trace-1");
        assertThat(inPool.get()).isEqualTo(inChild.get());
        assertThat(later.get()).isEmpty();
        assertThat(results).containsExactly("4:500");
        assertThat(directory.resolve("2030-01-01/4.log")).content().contains("from the child");
    }

    /** Lanes that end after every run, and triggers that arrive just then: each one is run exactly once. */
    @Test
    void noTriggerIsLostToALaneThatEnds() throws Exception {
        JobThreads lanes = lanes(Duration.ofNanos(1), -1, 1_000);
        int senders = 4;
        int each = 5_000;
        AtomicInteger executed = new AtomicInteger();
        JobHandler handler = context -> {
            executed.incrementAndGet();
            return RunResult.success();
        };
        ExecutorService pool = Executors.newFixedThreadPool(senders);
        List<Future<?>> sent = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            int first = sender * each;
            sent.add(pool.submit(() -> {
                for (int i = 0; i < each; i++) {
                    Work work = new Work(trigger(i % 3, "h", 1 + first + i), handler);
                    while (lanes.submit(work).isPresent()) {
                        Thread.onSpinWait();
                    }
                }
            }));
        }
        for (var sender : sent) {
            sender.get();
        }
        pool.shutdown();
        lanes.stop(Duration.ofSeconds(30));

        assertThat(executed).hasValue(senders * each);
        assertThat(results).hasSize(senders * each).doesNotHaveDuplicates();
        await().until(() -> lanes.size() == 0);
    }

    private JobThreads lanes(Duration poll, int idlePolls, int capacity) {
        return lanes(poll, idlePolls, capacity, this::record);
    }

    private JobThreads lanes(Duration poll, int idlePolls, int capacity, ResultSink sink) {
        RunLogFiles logs = new RunLogFiles(directory, Clock.systemUTC(), 1_000_000);
        return new JobThreads(
                new LaneSettings(poll, idlePolls, capacity, Duration.ofSeconds(10)),
                logs,
                memory,
                sink,
                new StartGate());
    }

    private void record(OrthJobContext run, RunResult result, Duration took) {
        texts.add(result.text());
        results.add(run.logId() + ":" + result.code());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing can be learnt from it: all that describes it throws again. */
    private static final class ProblemWithoutWords extends Error {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }

    private class RecordingHandler implements JobHandler {

        private final String name;

        RecordingHandler(String name) {
            this.name = name;
        }

        @Override
        public void init() {
            events.add("init " + name);
        }

        @Override
        public RunResult execute(OrthJobContext context) {
            events.add("run " + name);
            return RunResult.success();
        }

        @Override
        public void destroy() {
            events.add("destroy " + name);
        }
    }
}
