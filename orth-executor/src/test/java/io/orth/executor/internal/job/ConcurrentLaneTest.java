package io.orth.executor.internal.job;

import static io.orth.executor.internal.job.TestLanes.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Concurrent execution: a test per row of its table, and what happens when the concurrency changes. */
@Tag("must-executor")
@Timeout(60)
class ConcurrentLaneTest {

    @TempDir
    Path directory;

    private final HeldHandler handler = HeldHandler.cooperative();

    @Nested
    class BehaviourDetails {

        @Test
        void mainThreadRoleSerialExecutesInline() throws Exception {
            TestLanes test = TestLanes.in(directory);
            handler.release(1, 2);

            test.serial(handler, 1);
            test.concurrent(handler, 2, 1);
            test.stop();

            assertThat(handler.threads).containsExactly("orth-job-7", "orth-job-7");
        }

        @Test
        void mainThreadDispatchesToConfiguredNumberOfWorkers() throws Exception {
            TestLanes test = TestLanes.in(directory);
            for (int logId = 1; logId <= 5; logId++) {
                test.concurrent(handler, logId, 3);
            }

            handler.awaitBegun(3);
            assertThat(handler.threads).containsExactlyInAnyOrder("orth-job-7-1", "orth-job-7-2", "orth-job-7-3");
            assertThat(test.lanes.load()).isEqualTo(new JobThreads.Load(3, 2, 0));
            handler.release(2);
            handler.awaitBegun(1);
            assertThat(handler.started).last().isEqualTo(4L);
            handler.release(1, 3, 4, 5);
            test.stop();

            assertThat(test.results).hasSize(5);
            assertThat(handler.mostActive).hasValue(3);
        }

        @Test
        void isRunningOrHasQueueSerial() throws Exception {
            TestLanes test = TestLanes.in(directory);
            assertThat(test.lanes.isIdle(JOB)).as("unknown").isTrue();
            test.gate.close();

            test.serial(handler, 1);
            assertThat(test.lanes.isIdle(JOB)).as("waits").isFalse();
            test.gate.open();
            handler.awaitBegun(1);
            assertThat(test.lanes.isIdle(JOB)).as("runs").isFalse();
            handler.release(1);

            await().untilAsserted(() -> assertThat(test.lanes.isIdle(JOB)).isTrue());
            test.stop();
        }

        @Test
        void isRunningOrHasQueueConcurrent() throws Exception {
            TestLanes test = TestLanes.in(directory);

            test.concurrent(handler, 1, 3);
            handler.awaitBegun(1);
            assertThat(test.lanes.isIdle(JOB)).as("activeCount > 0").isFalse();
            handler.release(1);

            await().untilAsserted(() -> assertThat(test.lanes.isIdle(JOB)).isTrue());
            test.stop();
        }

        @Test
        void idleCleanUpWaitsUntilNoWorkerIsActive() {
            TestLanes test = TestLanes.in(directory, Duration.ofMillis(1), 2);
            test.concurrent(handler, 1, 3);
            handler.awaitBegun(1);
            test.concurrent(handler, 2, 3);
            handler.awaitBegun(1);
            handler.release(2);

            // Far more idle polls than allowed go by while run 1 is active.
            await().pollDelay(Duration.ofMillis(100)).until(() -> test.results.size() == 1);
            assertThat(test.lanes.size()).isEqualTo(1);
            assertThat(handler.events).containsExactly("init orth-job-7");
            handler.release(1);

            await().until(() -> test.lanes.size() == 0);
            await().until(() -> handler.events.contains("destroy"));
        }

        @Test
        void contextIsSetByEachWorkerThread() throws Exception {
            TestLanes test = TestLanes.in(directory);
            CyclicBarrier together = new CyclicBarrier(3);
            List<String> seen = Collections.synchronizedList(new ArrayList<>());
            JobHandler asks = context -> {
                together.await();
                seen.add(context.logId() + "="
                        + OrthJobContext.current().orElseThrow().logId());
                return RunResult.success();
            };

            for (int logId = 1; logId <= 3; logId++) {
                test.concurrent(asks, logId, 3);
            }
            test.stop();

            assertThat(seen).containsExactlyInAnyOrder("1=1", "2=2", "3=3");
        }

        @Test
        void callbackIsPushedByEachWorkerWhateverItsHandlerDoes() throws Exception {
            TestLanes test = TestLanes.in(directory);
            JobHandler breaks = context -> {
                switch ((int) context.logId()) {
                    case 1 -> throw new IllegalStateException("one");
                    case 2 -> throw new StackOverflowError("two");
                    default -> {
                        return RunResult.success("three");
                    }
                }
            };

            for (int logId = 1; logId <= 3; logId++) {
                test.concurrent(breaks, logId, 3);
            }
            test.stop();

            assertThat(test.results)
                    .containsExactlyInAnyOrder(
                            "1:500 java.lang.IllegalStateException: one",
                            "2:500 java.lang.StackOverflowError: two",
                            "3:200 three");
        }

        @Test
        void shutdownPastTheLimitInterruptsEveryWorker() throws Exception {
            TestLanes test = TestLanes.in(directory);
            for (int logId = 1; logId <= 3; logId++) {
                test.concurrent(handler, logId, 2);
            }
            handler.awaitBegun(2);

            test.lanes.stop(Duration.ofMillis(1));

            assertThat(handler.interrupted).containsExactlyInAnyOrder(1L, 2L);
            assertThat(test.results)
                    .containsExactlyInAnyOrder(
                            "1:500 java.lang.InterruptedException",
                            "2:500 java.lang.InterruptedException",
                            "3:500 not executed: executor stopped");
        }

        @Test
        void mainThreadCallsInitAndDestroyOnceAroundAllWorkers() throws Exception {
            TestLanes test = TestLanes.in(directory);
            for (int logId = 1; logId <= 20; logId++) {
                test.concurrent(handler, logId, 4);
                handler.release(logId);
            }

            test.stop();

            assertThat(handler.events).containsExactly("init orth-job-7", "destroy");
            assertThat(test.results).hasSize(20);
        }

        @Test
        void failedInitFailsTriggerAndIsRetriedOnTheNext() throws Exception {
            TestLanes test = TestLanes.in(directory);
            JobHandler second = new JobHandler() {
                private int attempts;

                @Override
                public void init() {
                    attempts++;
                    if (attempts == 1) {
                        throw new IllegalStateException("not yet");
                    }
                }

                @Override
                public RunResult execute(OrthJobContext context) {
                    return RunResult.success();
                }
            };

            test.concurrent(second, 1, 3);
            test.concurrent(second, 2, 3);
            test.stop();

            assertThat(test.results)
                    .containsExactlyInAnyOrder("1:500 java.lang.IllegalStateException: not yet", "2:200");
        }
    }

    @Nested
    class ConcurrencyChange {

        @Test
        void replacedThreadFinishesRunningAndHandsOverQueuedWork() throws Exception {
            TestLanes test = TestLanes.in(directory);
            for (int logId = 1; logId <= 4; logId++) {
                test.concurrent(handler, logId, 2);
            }
            handler.awaitBegun(2);

            test.concurrent(handler, 5, 4);
            handler.awaitBegun(2);
            assertThat(handler.started).hasSize(4).contains(3L, 4L);
            assertThat(handler.interrupted).isEmpty();
            handler.release(1);
            handler.awaitBegun(1);
            assertThat(handler.started).last().isEqualTo(5L);
            handler.release(2, 3, 4, 5);
            test.stop();

            assertThat(test.results).hasSize(5).allMatch(result -> result.contains(":200"));
            assertThat(handler.mostActive).hasValue(4);
        }

        @Test
        void raisingConcurrencyDoesNotWaitForRunningRun() throws Exception {
            TestLanes test = TestLanes.in(directory);
            test.serial(handler, 1);
            test.serial(handler, 2);
            handler.awaitBegun(1);

            test.concurrent(handler, 3, 3);
            handler.awaitBegun(2);

            assertThat(handler.active).hasValue(3);
            handler.release(1, 2, 3);
            test.stop();
            assertThat(test.results).hasSize(3);
            assertThat(handler.events).as("one life of the handler").hasSize(2);
        }

        @Test
        void fromManyToOneStartsNothingUntilAllHaveFinished() throws Exception {
            TestLanes test = TestLanes.in(directory);
            for (int logId = 1; logId <= 3; logId++) {
                test.concurrent(handler, logId, 3);
            }
            handler.awaitBegun(3);

            test.serial(handler, 4);
            handler.release(1, 2);
            await().until(() -> test.results.size() == 2);
            await().untilAsserted(() -> assertThat(test.lanes.load()).isEqualTo(new JobThreads.Load(1, 1, 0)));
            handler.release(3);
            handler.awaitBegun(1);
            assertThat(handler.active).hasValue(1);
            handler.release(4);
            test.stop();

            assertThat(handler.threads).last().isEqualTo("orth-job-7");
        }

        @Test
        void aKillStillReachesTheRunsOfBeforeTheChange() throws Exception {
            TestLanes test = TestLanes.in(directory);
            test.serial(handler, 1);
            handler.awaitBegun(1);
            test.concurrent(handler, 2, 2);
            handler.awaitBegun(1);

            test.lanes.kill(JOB, "stop it");

            assertThat(test.results)
                    .containsExactlyInAnyOrder(
                            "1:500 stop it [job running, killed]", "2:500 stop it [job running, killed]");
            test.stop();
        }
    }

    /** A new version of a script, for example: old workers keep the old handler, later triggers have the new one. */
    @Test
    void handlerChangeDestroysOldHandlerAfterItsWorkersFinish() throws Exception {
        TestLanes test = TestLanes.in(directory);
        HeldHandler next = HeldHandler.cooperative();
        test.concurrent(handler, 1, 2);
        handler.awaitBegun(1);

        test.concurrent(next, 2, 2);
        next.awaitBegun(1);
        assertThat(handler.events).containsExactly("init orth-job-7");
        handler.release(1);
        await().until(() -> handler.events.contains("destroy"));
        assertThat(next.events).containsExactly("init orth-job-7");
        next.release(2);
        test.stop();

        assertThat(test.results).containsExactly("1:200 run 1", "2:200 run 2");
        assertThat(next.events).containsExactly("init orth-job-7", "destroy");
    }

    @Test
    void thousandsOfRunsOfAJobSleepAtTheSameTime() throws Exception {
        TestLanes test = TestLanes.in(directory);
        // Platform threads where there are no virtual ones: enough to see it, not so many as to need settings.
        int runs = Runtime.version().feature() >= 21 ? 10_000 : 500;
        CountDownLatch all = new CountDownLatch(runs);
        JobHandler waits = context -> {
            all.countDown();
            all.await();
            return RunResult.success();
        };

        for (int logId = 1; logId <= runs; logId++) {
            assertThat(test.concurrent(waits, logId, 10_000)).isEmpty();
        }
        test.stop();

        assertThat(test.results).hasSize(runs).allMatch(result -> result.endsWith(":200"));
    }
}
