package io.orth.executor.internal.job;

import static io.orth.executor.internal.job.TestLanes.GRACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.protocol.BlockStrategy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Timeout enforcement: a test per branch of its diagram, and what happens when the handler does not cooperate. */
@Tag("must-executor")
@Timeout(60)
class RunTimeoutTest {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    @TempDir
    Path directory;

    @Test
    void completesInTime() throws Exception {
        TestLanes test = TestLanes.in(directory);
        HeldHandler handler = HeldHandler.cooperative();
        limited(test, handler, 1);
        handler.awaitBegun(1);

        test.watch.advance(LIMIT.minusMillis(1));
        handler.release(1);
        await().until(() -> test.results.size() == 1);
        await().until(() -> test.watch.size() == 0);
        test.watch.advance(LIMIT);
        test.stop();

        assertThat(test.results).containsExactly("1:200 run 1");
        assertThat(handler.interrupted).isEmpty();
    }

    @Test
    void timeoutReports502AndInterrupts() throws Exception {
        TestLanes test = TestLanes.in(directory);
        HeldHandler handler = HeldHandler.cooperative();
        limited(test, handler, 1);
        test.serial(handler, 2);
        handler.awaitBegun(1);
        handler.release(2);

        test.watch.advance(LIMIT);

        assertThat(test.results).contains("1:502 job execute timeout after 5 s");
        assertThat(directory.resolve("2030-01-01/1.log")).content().containsOnlyOnce("] timed out after 5 s\n");
        test.stop();
        assertThat(test.results)
                .as("the next run does not wait for the report of the one that gave it its place")
                .containsExactlyInAnyOrder("1:502 job execute timeout after 5 s", "2:200 run 2");
        assertThat(handler.interrupted).containsExactly(1L);
        assertThat(handler.cancelled).containsExactly(1L);
        assertThat(handler.events).as("the thread goes on").containsExactly("init orth-job-7", "destroy");
    }

    @Test
    void reportsTimeoutImmediatelyAndDelaysNextRunForGrace() throws Exception {
        TestLanes test = TestLanes.in(directory);
        HeldHandler stubborn = HeldHandler.stubborn();
        stubborn.release(2);
        limited(test, stubborn, 1);
        test.serial(stubborn, 2);
        stubborn.awaitBegun(1);

        test.watch.advance(LIMIT);
        assertThat(test.results).containsExactly("1:502 job execute timeout after 5 s");
        test.watch.advance(GRACE.minusMillis(1));
        assertThat(stubborn.started).containsExactly(1L);
        stubborn.release(1);
        test.stop();

        assertThat(test.results).containsExactly("1:502 job execute timeout after 5 s", "2:200 run 2");
        assertThat(stubborn.mostActive).hasValue(1);
    }

    @Test
    void continuesInNewThreadAfterUncooperativeHandler() throws Exception {
        TestLanes test = TestLanes.in(directory);
        HeldHandler stubborn = HeldHandler.stubborn();
        stubborn.release(2);
        limited(test, stubborn, 1);
        test.serial(stubborn, 2);
        stubborn.awaitBegun(1);
        test.watch.advance(LIMIT);
        await().until(() -> !stubborn.interrupted.isEmpty());

        test.watch.advance(GRACE);
        await().until(() -> test.results.size() == 2);

        assertThat(test.results).containsExactly("1:502 job execute timeout after 5 s", "2:200 run 2");
        assertThat(test.lanes.load().leakedThreads()).isEqualTo(1);
        assertThat(directory.resolve("2030-01-01/1.log"))
                .content()
                .containsOnlyOnce("its thread is given up at")
                .contains("io.orth.executor.internal.job.HeldHandler.await");

        stubborn.release(1);
        await().until(() -> test.lanes.load().leakedThreads() == 0);
        test.stop();
        assertThat(test.results).as("its own result is dropped").hasSize(2);
        assertThat(stubborn.events).containsExactly("init orth-job-7", "destroy");
    }

    @Test
    void replacesWorkerThatIgnoresTimeout() throws Exception {
        TestLanes test = TestLanes.in(directory);
        HeldHandler stubborn = HeldHandler.stubborn();
        for (int logId = 1; logId <= 3; logId++) {
            test.submit(stubborn, logId, BlockStrategy.CONCURRENT, 2, 5);
        }
        stubborn.awaitBegun(2);
        stubborn.release(3);

        test.watch.advance(LIMIT);
        assertThat(test.results)
                .containsExactlyInAnyOrder(
                        "1:502 job execute timeout after 5 s", "2:502 job execute timeout after 5 s");
        assertThat(stubborn.started).doesNotContain(3L);
        test.watch.advance(GRACE);
        await().until(() -> test.results.size() == 3);

        assertThat(test.lanes.load().leakedThreads()).isEqualTo(2);
        stubborn.release(1, 2);
        await().until(() -> test.lanes.load().leakedThreads() == 0);
        test.stop();
    }

    @Test
    void holdsForInitToo() throws Exception {
        for (BlockStrategy strategy : new BlockStrategy[] {BlockStrategy.SERIAL, BlockStrategy.CONCURRENT}) {
            TestLanes test = TestLanes.in(directory);
            CountDownLatch inInit = new CountDownLatch(1);
            JobHandler hangs = new JobHandler() {
                @Override
                public void init() throws InterruptedException {
                    inInit.countDown();
                    new CountDownLatch(1).await();
                }

                @Override
                public RunResult execute(OrthJobContext context) {
                    return RunResult.success();
                }
            };
            test.submit(hangs, 1, strategy, 2, 5);
            inInit.await();

            test.watch.advance(LIMIT);
            test.serial(context -> RunResult.success("next"), 2);
            test.stop();

            assertThat(test.results)
                    .as(strategy.name())
                    .containsExactly("1:502 job execute timeout after 5 s", "2:200 next");
        }
    }

    @Test
    void abandonsInitThatIgnoresTimeout() throws Exception {
        for (BlockStrategy strategy : new BlockStrategy[] {BlockStrategy.SERIAL, BlockStrategy.CONCURRENT}) {
            TestLanes test = TestLanes.in(directory);
            CountDownLatch inInit = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            JobHandler hangs = new JobHandler() {
                @Override
                public void init() {
                    inInit.countDown();
                    awaitStubbornly(release);
                }

                @Override
                public RunResult execute(OrthJobContext context) {
                    return RunResult.success("never");
                }
            };
            test.submit(hangs, 1, strategy, 2, 5);
            inInit.await();

            test.watch.advance(LIMIT);
            test.submit(context -> RunResult.success("next"), 2, strategy, 2, 0);
            test.watch.advance(GRACE);
            await().until(() -> test.results.size() == 2);

            assertThat(test.results).containsExactly("1:502 job execute timeout after 5 s", "2:200 next");
            release.countDown();
            await().until(() -> test.lanes.load().leakedThreads() == 0);
            test.stop();
        }
    }

    /** With the real watch: the seconds are seconds. A timer of the JDK says how late the machine itself is. */
    @Test
    @Tag("must-first")
    void isWithinASecondOfTheDeadline() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        TestLanes test = TestLanes.inRealTime(directory);
        long before = System.nanoTime();
        CompletableFuture<Duration> machine = CompletableFuture.supplyAsync(
                () -> since(before), CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));

        test.submit(
                context -> {
                    awaitStubbornly(release);
                    return RunResult.success();
                },
                1,
                BlockStrategy.SERIAL,
                1,
                1);
        await().pollInterval(Duration.ofMillis(5)).until(() -> !test.results.isEmpty());
        Duration taken = since(before);
        Duration machineTook = machine.get();
        assertThat(test.results).containsExactly("1:502 job execute timeout after 1 s");
        release.countDown();
        test.stop();

        assertThat(taken).isGreaterThanOrEqualTo(Duration.ofSeconds(1)).isLessThan(machineTook.plusSeconds(1));
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static void limited(TestLanes test, JobHandler handler, long logId) {
        test.submit(handler, logId, BlockStrategy.SERIAL, 1, (int) LIMIT.toSeconds());
    }

    private static void awaitStubbornly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // Continues: that is the point of the test.
            }
        }
    }
}
