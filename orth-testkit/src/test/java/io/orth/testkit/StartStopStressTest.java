package io.orth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StartStopStressTest {

    private final StartStopStress stress = StartStopStress.watchingThreads("stress-");

    /** A thread that runs until it is stopped. */
    private record Looping(Thread thread, CountDownLatch stop) implements AutoCloseable {

        static Looping start(String name) {
            CountDownLatch stop = new CountDownLatch(1);
            Thread thread = new Thread(
                    () -> {
                        try {
                            stop.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    name);
            thread.start();
            return new Looping(thread, stop);
        }

        @Override
        public void close() {
            stop.countDown();
        }
    }

    @Test
    void passesComponentThatCleansUp() throws Exception {
        AtomicInteger started = new AtomicInteger();

        stress.run(() -> Looping.start("stress-" + started.incrementAndGet()));

        assertThat(started).hasValueGreaterThan(10);
    }

    @Test
    void detectsStopThatCannotBeRepeated() {
        assertThatThrownBy(() -> stress.run(() -> {
                    AtomicInteger stops = new AtomicInteger();
                    return () -> {
                        if (stops.incrementAndGet() > 1) {
                            throw new IllegalStateException("stopped twice");
                        }
                    };
                }))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("stopped twice");
    }
}
