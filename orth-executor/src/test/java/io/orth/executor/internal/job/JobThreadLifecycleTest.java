package io.orth.executor.internal.job;

import static io.orth.executor.internal.job.TestLanes.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of a job's thread: a test per state and arrow of its diagram, and of the diagram of the idle clean-up. */
@Tag("must-executor")
@Timeout(60)
class JobThreadLifecycleTest {

    @TempDir
    Path directory;

    private final HeldHandler handler = HeldHandler.cooperative();

    @Nested
    class Created {

        @Test
        void byTheFirstTriggerOfTheJobNamedAfterItAndInitialised() throws Exception {
            TestLanes test = TestLanes.in(directory);
            assertThat(test.lanes.size()).isZero();

            test.serial(handler, 1);
            handler.awaitBegun(1);

            assertThat(test.lanes.size()).isEqualTo(1);
            assertThat(handler.threads).containsExactly("orth-job-7");
            assertThat(handler.events).containsExactly("init orth-job-7");
            handler.release(1);
            test.stop();
        }

        @Test
        void onceForManyTriggers() throws Exception {
            TestLanes test = TestLanes.in(directory);
            handler.release(1, 2, 3);

            test.serial(handler, 1);
            test.serial(handler, 2);
            test.serial(handler, 3);
            test.stop();

            assertThat(handler.events).containsExactly("init orth-job-7", "destroy");
            assertThat(test.results).containsExactly("1:200 run 1", "2:200 run 2", "3:200 run 3");
        }

        @Test
        void failedInitFailsTriggerAndIsRetriedOnTheNext() throws Exception {
            TestLanes test = TestLanes.in(directory);
            AtomicInteger destroyed = new AtomicInteger();
            JobHandler third = new JobHandler() {
                private int attempts;

                @Override
                public void init() {
                    attempts++;
                    if (attempts < 3) {
                        throw new IllegalStateException("attempt " + attempts);
                    }
                }

                @Override
                public RunResult execute(OrthJobContext context) {
                    return RunResult.success("attempt " + attempts);
                }

                @Override
                public void destroy() {
                    destroyed.incrementAndGet();
                }
            };

            for (int logId = 1; logId <= 4; logId++) {
                test.serial(third, logId);
            }
            test.stop();

            assertThat(test.results)
                    .containsExactly(
                            "1:500 java.lang.IllegalStateException: attempt 1",
                            "2:500 java.lang.IllegalStateException: attempt 2",
                            "3:200 attempt 3",
                            "4:200 attempt 3");
            assertThat(destroyed).hasValue(1);
        }
    }

    @Nested
    class Running {

        @Test
        void pollingToProcessTriggerToExecuteToCallbackToPolling() throws Exception {
            TestLanes test = TestLanes.in(directory);

            test.serial(handler, 1);
            handler.awaitBegun(1);
            assertThat(test.results).isEmpty();
            handler.release(1);
            await().until(() -> test.results.size() == 1);
            test.serial(handler, 2);
            handler.awaitBegun(1);
            handler.release(2);
            await().until(() -> test.results.size() == 2);

            assertThat(test.results).containsExactly("1:200 run 1", "2:200 run 2");
            assertThat(handler.threads).containsOnly("orth-job-7");
            test.stop();
        }

        @Test
        void keepsPollingUntilIdleLimitIsExceeded() {
            Duration poll = Duration.ofMillis(5);
            TestLanes test = TestLanes.in(directory, poll, 30);
            handler.release(1);
            long before = System.nanoTime();

            test.serial(handler, 1);
            await().until(() -> test.lanes.size() == 0);

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(poll.multipliedBy(31));
        }

        @Test
        void idleCheckToSelfRemoveAfterMoreIdlePollsThanAllowed() {
            TestLanes test = TestLanes.in(directory, Duration.ofMillis(1), 2);
            handler.release(1, 2);

            test.serial(handler, 1);
            await().until(() -> handler.events.contains("destroy"));
            assertThat(test.lanes.size()).isZero();
            test.serial(handler, 2);
            await().until(() -> handler.events.size() == 4);

            assertThat(handler.events).containsExactly("init orth-job-7", "destroy", "init orth-job-7", "destroy");
            assertThat(test.results).hasSize(2);
        }

        @Test
        void aTriggerResetsTheIdleCount() throws Exception {
            TestLanes test = TestLanes.in(directory, Duration.ofMillis(20), 100);
            for (int logId = 1; logId <= 30; logId++) {
                handler.release(logId);
                test.serial(handler, logId);
                int expected = logId;
                await().pollDelay(Duration.ofMillis(80)).until(() -> test.results.size() == expected);
            }

            assertThat(handler.events).as("one life, however long").containsExactly("init orth-job-7");
            test.stop();
        }
    }

    @Nested
    class Stopping {

        @Test
        void drainsTheQueueThenDestroys() throws Exception {
            TestLanes test = TestLanes.in(directory);
            for (int logId = 1; logId <= 20; logId++) {
                test.serial(handler, logId);
                handler.release(logId);
            }

            test.stop();

            assertThat(test.results).hasSize(20).allMatch(result -> result.contains(":200"));
            assertThat(handler.events).containsExactly("init orth-job-7", "destroy");
        }

        @Test
        void reportsQueuedAndInterruptsRunningPastDrainLimit() throws Exception {
            TestLanes test = TestLanes.in(directory);
            for (int logId = 1; logId <= 3; logId++) {
                test.serial(handler, logId);
            }
            handler.awaitBegun(1);

            test.lanes.stop(Duration.ofMillis(1));

            assertThat(test.results)
                    .containsExactlyInAnyOrder(
                            "1:500 java.lang.InterruptedException",
                            "2:500 not executed: executor stopped",
                            "3:500 not executed: executor stopped");
            assertThat(directory.resolve("2030-01-01/1.log"))
                    .content()
                    .containsOnlyOnce("] interrupted: the executor stops\n");
            assertThat(handler.cancelled).containsExactly(1L);
            assertThat(handler.events).containsExactly("init orth-job-7", "destroy");
        }

        @Test
        void reportsARunThatIgnoresItAndDropsItsOwnLateResult() throws Exception {
            TestLanes test = TestLanes.in(directory);
            HeldHandler stubborn = HeldHandler.stubborn();
            test.serial(stubborn, 1);
            stubborn.awaitBegun(1);

            test.lanes.stop(Duration.ZERO);
            stubborn.release(1);
            await().until(() -> stubborn.events.contains("destroy"));

            assertThat(test.results).containsExactly("1:500 executor stopped while the run was still going on");
        }

        @Test
        void reportsEverythingEvenWhenTheStoppingThreadIsInterrupted() throws Exception {
            TestLanes test = TestLanes.in(directory);
            HeldHandler stubborn = HeldHandler.stubborn();
            test.serial(stubborn, 1);
            test.serial(stubborn, 2);
            stubborn.awaitBegun(1);
            CountDownLatch over = new CountDownLatch(1);
            FutureTask<Void> stopping = new FutureTask<>(() -> {
                try {
                    test.stop();
                } finally {
                    over.countDown();
                }
                return null;
            });
            Thread stopper = new Thread(stopping);
            stopper.start();

            stopper.interrupt();
            over.await();

            assertThat(test.results)
                    .containsExactlyInAnyOrder(
                            "1:500 executor stopped while the run was still going on",
                            "2:500 not executed: executor stopped");
            stubborn.release(1);
        }

        @Test
        void failedDestroyDoesNotAffectOtherRuns() throws Exception {
            TestLanes test = TestLanes.in(directory);
            JobHandler bad = new JobHandler() {
                @Override
                public RunResult execute(OrthJobContext context) {
                    return RunResult.success();
                }

                @Override
                public void destroy() {
                    throw new IllegalStateException("told to fail");
                }
            };

            test.serial(bad, 1);
            await().until(() -> test.lanes.isIdle(JOB));
            test.lanes.kill(JOB, "test");
            test.serial(bad, 2);
            test.stop();

            assertThat(test.results).containsExactly("1:200", "2:200");
        }
    }
}
