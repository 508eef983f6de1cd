package io.orth.executor.internal.job;

import static io.orth.executor.internal.job.TestLanes.GRACE;
import static io.orth.executor.internal.job.TestLanes.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.KnownRuns.Known;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Triggers for a busy job: one test per arrow of the diagram of block strategies. */
@Tag("must-executor")
@Timeout(60)
class BlockStrategyTest {

    private static final String COVERED = "block strategy effect：Cover Early";

    @TempDir
    Path directory;

    private final HeldHandler handler = HeldHandler.cooperative();

    @Test
    void serialAddsToTheQueueAndExecutesInOrder() throws Exception {
        TestLanes test = TestLanes.in(directory);

        for (int logId = 1; logId <= 10; logId++) {
            assertThat(test.serial(handler, logId)).isEmpty();
            handler.release(logId);
        }
        test.stop();

        assertThat(handler.started).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(handler.mostActive).hasValue(1);
    }

    @Test
    void rejectsDiscardTriggerWhileRunning() throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.discard(handler, 1);
        handler.awaitBegun(1);

        assertThat(test.discard(handler, 2)).contains("block strategy effect：Discard Later");

        handler.release(1);
        test.stop();
        assertThat(test.results).containsExactly("1:200 run 1");
        assertThat(test.memory.known(List.of(2L))).isEmpty();
    }

    @Test
    void rejectsDiscardTriggerWhileQueueIsNotEmpty() throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.gate.close();
        test.serial(handler, 1);

        assertThat(test.discard(handler, 2)).contains("block strategy effect：Discard Later");

        test.gate.open();
        handler.release(1);
        test.stop();
        assertThat(test.results).containsExactly("1:200 run 1");
    }

    @Test
    void discardIsTakenWhileTheThreadIsIdle() throws Exception {
        TestLanes test = TestLanes.in(directory);
        handler.release(1, 2);
        test.discard(handler, 1);
        await().until(() -> test.lanes.isIdle(JOB));

        assertThat(test.discard(handler, 2)).isEmpty();

        test.stop();
        assertThat(test.results).containsExactly("1:200 run 1", "2:200 run 2");
    }

    @Test
    void coverKillsTheExistingThreadAndCreatesANewOne() throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.cover(handler, 1);
        handler.awaitBegun(1);
        test.serial(handler, 2);
        test.serial(handler, 3);

        assertThat(test.cover(handler, 4)).isEmpty();
        handler.awaitBegun(1);

        assertThat(test.results)
                .containsExactly(
                        "1:500 " + COVERED + " [job running, killed]",
                        "2:500 " + COVERED + " [job not executed, in the job queue, killed.]",
                        "3:500 " + COVERED + " [job not executed, in the job queue, killed.]");
        assertThat(handler.started).containsExactly(1L, 4L);
        assertThat(handler.interrupted).containsExactly(1L);
        assertThat(handler.events)
                .as("a new thread initialises anew")
                .containsExactly("init orth-job-7", "destroy", "init orth-job-7");
        handler.release(4);
        test.stop();
        assertThat(test.results).hasSize(4).last().isEqualTo("4:200 run 4");
    }

    /** Again and again, because the old thread and the new one race for the handler. */
    @Test
    void coverAlwaysDestroysBeforeTheNewThreadInitialises() throws Exception {
        TestLanes test = TestLanes.in(directory);
        int covers = 300;

        for (int logId = 1; logId <= covers; logId++) {
            test.cover(handler, logId);
            handler.awaitBegun(1);
        }
        handler.release(covers);
        test.stop();

        assertThat(handler.events).hasSize(2 * covers);
        for (int i = 0; i < covers; i++) {
            assertThat(handler.events.subList(2 * i, 2 * i + 2)).containsExactly("init orth-job-7", "destroy");
        }
    }

    @Test
    void coverLeavesAnIdleThreadAlone() throws Exception {
        TestLanes test = TestLanes.in(directory);
        handler.release(1, 2);
        test.cover(handler, 1);
        await().until(() -> test.lanes.isIdle(JOB));

        test.cover(handler, 2);
        test.stop();

        assertThat(handler.events).containsExactly("init orth-job-7", "destroy");
        assertThat(test.results).containsExactly("1:200 run 1", "2:200 run 2");
    }

    @Test
    void coverWaitsForCleanUpWithinLimit() throws Exception {
        TestLanes test = TestLanes.in(directory);
        HeldHandler stubborn = HeldHandler.stubborn();
        stubborn.release(2);
        test.cover(stubborn, 1);
        stubborn.awaitBegun(1);

        test.cover(stubborn, 2);
        await().until(() -> !stubborn.interrupted.isEmpty());
        test.watch.advance(GRACE.minusMillis(1));
        assertThat(stubborn.started).containsExactly(1L);
        test.watch.advance(Duration.ofMillis(1));
        await().until(() -> test.results.size() == 2);

        assertThat(stubborn.started).containsExactly(1L, 2L);
        stubborn.release(1);
        test.stop();
    }

    @Test
    void rejectsTriggerWhenQueueIsFull() throws Exception {
        TestLanes test = TestLanes.in(directory);
        test.serial(handler, 1);
        handler.awaitBegun(1);
        for (int logId = 2; logId <= 1_001; logId++) {
            assertThat(test.serial(handler, logId)).isEmpty();
        }

        assertThat(test.serial(handler, 1_002)).contains("job 7 already has 1000 triggers waiting on this executor");

        assertThat(test.lanes.load()).isEqualTo(new JobThreads.Load(1, 1_000, 0));
        test.lanes.kill(JOB, "enough");
        assertThat(test.results).hasSize(1_001);
        test.stop();
    }

    /** The rejection must not depend on the speed of the dispatcher. */
    @Test
    void acceptsBurstUpToConcurrency() throws Exception {
        TestLanes test = TestLanes.in(directory);
        CountDownLatch release = new CountDownLatch(1);

        for (int logId = 1; logId <= 2_000; logId++) {
            assertThat(test.concurrent(
                            context -> {
                                release.await();
                                return null;
                            },
                            logId,
                            1_200))
                    .as("trigger %d", logId)
                    .isEmpty();
        }

        release.countDown();
        test.stop();
        assertThat(test.results).hasSize(2_000);
        assertThat(test.memory.known(List.of(2_000L)))
                .extracting(Known::handleCode)
                .containsExactly(200);
    }
}
