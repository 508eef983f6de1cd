package io.orth.admin.triggering;

import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The threads for requests to executors. When the node stops, requests in progress are completed and recorded while the database is still
 * available; other nodes take over the rest.
 */
final class ExecutorTalk implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(ExecutorTalk.class);
    private static final long GRACE_SECONDS = 6;

    private final ExecutorService senders;
    private final ExecutorService askers;
    private volatile boolean running;

    /**
     * @param concurrency maximum number of concurrent requests for each kind of thread
     * @param capacity maximum number of tasks waiting for a thread of each kind; at most one per executor
     */
    ExecutorTalk(int concurrency, int capacity) {
        this.senders = Threads.pool("send", concurrency, capacity);
        this.askers = Threads.pool("ask", concurrency, capacity);
    }

    /** Returns the threads that dispatch runs. */
    Executor senders() {
        return senders;
    }

    /** Returns the threads that query executors about runs. */
    Executor askers() {
        return askers;
    }

    /** Waits for {@code tasks} to finish. If they take longer than {@code within}, tasks that have not started are cancelled. */
    static void awaitAll(List<CompletableFuture<Void>> tasks, Duration within, String what)
            throws InterruptedException {
        try {
            CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new))
                    .get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.atDebug().log("an executor takes long: {}", what);
            tasks.forEach(task -> task.cancel(false));
        } catch (ExecutionException e) {
            log.atWarn().setCause(e.getCause()).log("{} failed; it is done again", what);
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        end(senders);
        end(askers);
    }

    private static void end(ExecutorService threads) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops after the loops and the web server, which have a higher phase. */
    @Override
    public int getPhase() {
        return 0;
    }
}
