package io.orth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.orth.runtime.Duty.Pass;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PeriodicLoopTest {

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final LoopTiming HOURLY =
            new LoopTiming(Duration.ofHours(1), failures -> Duration.ofMillis(Math.min(1L << (failures - 1), 4)));

    private final Clock clock = Clock.fixed(Instant.parse("2030-01-01T12:00:00Z"), ZoneOffset.UTC);
    private final Semaphore passes = new Semaphore(0);
    private final List<Integer> failures = new ArrayList<>();

    private final LoopObserver observer = new LoopObserver() {
        @Override
        public void passed(String loop, Pass pass) {
            passes.release();
        }

        @Override
        public void failed(String loop, int failuresInARow, Throwable failure) {
            failures.add(failuresInARow);
        }
    };

    @Test
    void wakeUpStartsPassImmediately() throws InterruptedException {
        PeriodicLoop loop = loop(HOURLY, () -> Pass.DRAINED);
        loop.start();
        awaitPasses(1);

        loop.wake();

        awaitPasses(1);
        assertThat(loop.stop(GRACE)).isTrue();
    }

    @Test
    @Tag("must-kernel")
    void wakeUpEndsRequestedPause() throws InterruptedException {
        PeriodicLoop loop = loop(HOURLY, () -> Pass.rest(Duration.ofDays(1)));
        loop.start();
        awaitPasses(1);

        loop.wake();

        awaitPasses(1);
        assertThat(loop.stop(GRACE)).isTrue();
        assertThat(Pass.rest(Duration.ZERO)).isEqualTo(Pass.MORE);
        assertThat(loop(HOURLY, () -> Pass.rest(Duration.ofHours(7))).runOnce()).isEqualTo(Duration.ofHours(7));
    }

    @Test
    @Tag("must-kernel")
    void finishingRunsUntilNothingIsLeft() throws InterruptedException {
        AtomicInteger left = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        PeriodicLoop loop = loop(HOURLY, new Duty() {
            @Override
            public Pass run() {
                return left.getAndDecrement() > 0 ? Pass.MORE : Pass.DRAINED;
            }

            @Override
            public void ended() {
                ended.incrementAndGet();
            }
        });
        loop.start();
        awaitPasses(1);

        left.set(5);

        assertThat(loop.finish(GRACE)).isTrue();
        awaitPasses(6);
        assertThat(ended).hasValue(1);
    }

    @Test
    @Tag("must-kernel")
    void finishingEndsTheBackoffOfAFailure() throws InterruptedException {
        LoopTiming slow = new LoopTiming(Duration.ofHours(1), failures -> Duration.ofHours(1));
        CountDownLatch failed = new CountDownLatch(1);
        PeriodicLoop loop = loop(slow, () -> {
            failed.countDown();
            throw new IllegalStateException("no");
        });
        loop.start();
        failed.await();

        assertThat(loop.finish(GRACE)).isTrue();
    }

    @Test
    void aWakeUpDuringAPassIsKept() throws InterruptedException {
        CountDownLatch inPass = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger count = new AtomicInteger();
        PeriodicLoop loop = loop(HOURLY, () -> {
            if (count.incrementAndGet() == 1) {
                inPass.countDown();
                goOn.await();
            }
            return Pass.DRAINED;
        });
        loop.start();
        inPass.await();

        loop.wake();
        goOn.countDown();

        awaitPasses(2);
        loop.stop(GRACE);
    }

    @Test
    void manyWakeUpsAreOne() throws InterruptedException {
        PeriodicLoop loop = loop(HOURLY, () -> Pass.DRAINED);
        for (int i = 0; i < 100; i++) {
            loop.wake();
        }

        loop.start();
        awaitPasses(2);
        loop.stop(GRACE);

        assertThat(passes.availablePermits()).isZero();
    }

    @Test
    void repeatsPassWithoutPauseWhenMoreWorkRemains() throws InterruptedException {
        assertThat(loop(HOURLY, () -> Pass.MORE).runOnce()).isZero();
        assertThat(loop(HOURLY, () -> Pass.DRAINED).runOnce()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void pausesUntilRequestedTimeWithinTheInterval() throws InterruptedException {
        assertThat(loop(HOURLY, () -> Pass.nextAt(clock.instant().plusMillis(70)))
                        .runOnce())
                .isEqualTo(Duration.ofMillis(70));
        assertThat(loop(HOURLY, () -> Pass.nextAt(clock.instant().plusSeconds(7200)))
                        .runOnce())
                .isEqualTo(Duration.ofHours(1));
        assertThat(loop(HOURLY, () -> Pass.nextAt(clock.instant().minusSeconds(1)))
                        .runOnce())
                .isNegative();
    }

    @Test
    void backsOffOnFailuresAndResetsAfterSuccess() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        PeriodicLoop loop = loop(HOURLY, () -> {
            if (count.incrementAndGet() == 5) {
                return Pass.DRAINED;
            }
            throw new IllegalStateException("no");
        });

        assertThat(List.of(loop.runOnce(), loop.runOnce(), loop.runOnce(), loop.runOnce()))
                .containsExactly(
                        Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(4), Duration.ofMillis(4));
        assertThat(loop.runOnce()).isEqualTo(Duration.ofHours(1));
        assertThat(loop.runOnce()).isEqualTo(Duration.ofMillis(1));
        assertThat(failures).containsExactly(1, 2, 3, 4, 1);
    }

    @Test
    void notEvenAnErrorEndsTheLoop() throws InterruptedException {
        PeriodicLoop loop = loop(HOURLY, () -> {
            throw new OutOfMemoryError("for the test");
        });

        assertThat(loop.runOnce()).isEqualTo(Duration.ofMillis(1));
        assertThat(failures).containsExactly(1);
    }

    @Test
    void onlyStoppingCutsBackoffShort() throws InterruptedException {
        CountDownLatch failed = new CountDownLatch(1);
        AtomicInteger count = new AtomicInteger();
        LoopTiming patient = new LoopTiming(Duration.ofMillis(1), failures -> Duration.ofHours(1));
        PeriodicLoop loop = loop(patient, () -> {
            count.incrementAndGet();
            failed.countDown();
            throw new IllegalStateException("no");
        });
        loop.start();
        failed.await();

        for (int i = 0; i < 1_000; i++) {
            loop.wake();
        }

        assertThat(loop.stop(GRACE)).isTrue();
        assertThat(count).hasValue(1);
    }

    @Test
    void stopInterruptsPassOnlyAfterGrace() throws InterruptedException {
        CountDownLatch inPass = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        PeriodicLoop loop = loop(HOURLY, () -> {
            inPass.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return Pass.DRAINED;
        });
        loop.start();
        inPass.await();

        assertThat(loop.stop(Duration.ofMillis(20))).isFalse();

        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @Tag("must-foundation")
    void startAndStopInAnyOrderLeaveNoThreadBehind() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            PeriodicLoop loop = new PeriodicLoop("stress", HOURLY, () -> Pass.MORE, observer, clock);
            Thread waker = Threads.service("waker", loop::wake);
            waker.start();
            loop.start();
            assertThat(loop.stop(GRACE)).isTrue();
            waker.join();
        }

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("orth-stress");
    }

    @Test
    void rejectsImpossibleTiming() {
        assertThat(catchThrowable(() -> LoopTiming.every(Duration.ZERO)))
                .hasMessageContaining("interval must be positive");
        assertThat(new LoopTiming(Duration.ofSeconds(1), failures -> Duration.ZERO).restAfterFailure(1))
                .isPositive();
    }

    private PeriodicLoop loop(LoopTiming timing, Duty duty) {
        return new PeriodicLoop("test", timing, duty, observer, clock);
    }

    private void awaitPasses(int count) throws InterruptedException {
        assertThat(passes.tryAcquire(count, 20, TimeUnit.SECONDS)).isTrue();
    }
}
