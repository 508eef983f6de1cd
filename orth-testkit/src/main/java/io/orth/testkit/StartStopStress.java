package io.orth.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Starts a thing again and again and lets several threads stop it at the same moment. Fails if stopping throws or hangs,
 * or if a thread with the given prefix in its name is left over.
 */
public final class StartStopStress {

    private static final int ROUNDS = 50;
    private static final int STOPPERS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final String threadPrefix;

    private StartStopStress(String threadPrefix) {
        this.threadPrefix = threadPrefix;
    }

    /** Watches threads whose names start like this, such as {@code orth-}. */
    public static StartStopStress watchingThreads(String prefix) {
        return new StartStopStress(prefix);
    }

    /** The callable starts the thing; closing what it returns stops it. */
    public void run(Callable<? extends AutoCloseable> start) throws Exception {
        Set<Thread> before = threads();
        ExecutorService stoppers = Executors.newFixedThreadPool(STOPPERS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                stopTogether(stoppers, start.call());
            }
        } finally {
            stoppers.shutdownNow();
        }
        failIfAnyIsLeft(before);
    }

    private static void stopTogether(ExecutorService stoppers, AutoCloseable started)
            throws InterruptedException, ExecutionException, TimeoutException {
        CountDownLatch together = new CountDownLatch(STOPPERS);
        List<Future<?>> stops = new ArrayList<>();
        for (int i = 0; i < STOPPERS; i++) {
            stops.add(stoppers.submit(() -> {
                together.countDown();
                together.await();
                started.close();
                return null;
            }));
        }
        for (Future<?> stop : stops) {
            stop.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void failIfAnyIsLeft(Set<Thread> before) throws InterruptedException {
        Set<Thread> left = threads();
        left.removeAll(before);
        for (Thread thread : left) {
            thread.join(LIMIT.toMillis());
            if (thread.isAlive()) {
                throw new AssertionError("the thread '%s' is left over".formatted(thread.getName()));
            }
        }
    }

    private Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(threadPrefix))
                .collect(Collectors.toSet());
    }
}
