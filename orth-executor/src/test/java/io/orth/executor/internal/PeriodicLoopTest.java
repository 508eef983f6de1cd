package io.orth.executor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class PeriodicLoopTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final AtomicInteger passes = new AtomicInteger();

    @Test
    void aWakeUpDuringAPassCausesAnother() throws Exception {
        CountDownLatch inPass = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        PeriodicLoop loop = new PeriodicLoop("test", LONG, () -> {
            passes.incrementAndGet();
            inPass.countDown();
            goOn.await();
            return LONG;
        });
        loop.start();
        inPass.await();

        loop.wake();
        goOn.countDown();

        await().until(() -> passes.get() == 2);
        assertThat(loop.stop(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void aFailedPassIsFollowedByAnother() throws Exception {
        PeriodicLoop loop = new PeriodicLoop("test", Duration.ofMillis(1), () -> {
            if (passes.incrementAndGet() == 1) {
                throw new IllegalStateException("told to fail");
            }
            return LONG;
        });
        loop.start();

        await().until(() -> passes.get() == 2);
        assertThat(loop.stop(Duration.ofSeconds(10))).isTrue();
    }

    @ParameterizedTest
    @MethodSource("io.orth.executor.internal.queue.QueueErrorsTest#errors")
    @Tag("must-first")
    void noErrorEndsTheLoop(Error problem) throws Exception {
        PeriodicLoop loop = new PeriodicLoop("test", Duration.ofMillis(1), () -> {
            if (passes.incrementAndGet() == 1) {
                throw problem;
            }
            return LONG;
        });
        loop.start();

        await().until(() -> passes.get() == 2);
        assertThat(loop.stop(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void finishingRunsUntilNothingIsLeft() throws Exception {
        AtomicInteger left = new AtomicInteger(0);
        PeriodicLoop loop = new PeriodicLoop("test", LONG, () -> {
            passes.incrementAndGet();
            return left.getAndDecrement() > 0 ? Duration.ZERO : LONG;
        });
        loop.start();
        await().until(() -> passes.get() == 1);

        left.set(5);

        assertThat(loop.finish(Duration.ofSeconds(10))).isTrue();
        assertThat(passes).hasValue(7);
    }

    @Test
    void aPassThatDoesNotEndIsInterrupted() throws Exception {
        CountDownLatch inPass = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        PeriodicLoop loop = new PeriodicLoop("test", LONG, () -> {
            inPass.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return LONG;
        });
        loop.start();
        inPass.await();

        assertThat(loop.stop(Duration.ofMillis(1))).isFalse();
        interrupted.await();
    }
}
