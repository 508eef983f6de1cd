package io.orth.admin.run;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Splitter;
import io.orth.admin.run.CallbackIntake.Outcome;
import io.orth.admin.run.CallbackIntake.Received;
import io.orth.admin.run.CallbackIntake.Verdict;
import io.orth.protocol.CallbackItem;
import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Records callbacks of several executors together. An idle worker takes waiting callbacks immediately, so a single callback is not
 * delayed. Callbacks that arrive while all workers are busy share one transaction. There are two workers, and more while more than a full
 * batch waits. Each callback gets its response after its results are committed.
 */
public final class CallbackQueue implements SmartLifecycle {

    static final int MIN_WORKERS = 2;

    private static final Logger log = LoggerFactory.getLogger(CallbackQueue.class);
    private static final Duration GRACE = Duration.ofSeconds(6);

    /** Limits the text of waiting results, which {@code capacity} alone does not bound. */
    private static final long MAX_CHARACTERS = 64L * 1024 * 1024;

    /** A waiting callback. Except for the future, its fields are accessed only by the worker that took it. */
    private static final class Waiting {

        final int group;
        final List<CallbackItem> results;
        final CompletableFuture<Outcome> response = new CompletableFuture<>();
        final List<Verdict> verdicts = new ArrayList<>();
        OrthException rejection;

        Waiting(int group, List<CallbackItem> results) {
            this.group = group;
            this.results = results;
        }

        long characters() {
            return results.stream()
                    .mapToLong(result ->
                            result.handleMsg() == null ? 0 : result.handleMsg().length())
                    .sum();
        }

        void respond() {
            if (rejection != null) {
                response.completeExceptionally(rejection);
                return;
            }
            Outcome outcome = Outcome.of(verdicts);
            CallbackIntake.report(group, outcome);
            response.complete(outcome);
        }
    }

    /** A result and the callback that contained it. */
    private record Item(Waiting callback, CallbackItem result) {}

    private final CallbackIntake intake;
    private final CallbackProperties properties;
    private final int maxWorkers;
    private final Duration grace;
    private final ExecutorService threads;
    private final DistributionSummary batches;
    private final Counter rejected;

    // Guarded by this.
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int queued;
    private long characters;
    private int workers;
    private boolean stopping;

    private volatile boolean running;

    /** @param maxWorkers maximum number of workers; each uses one database connection */
    public CallbackQueue(CallbackIntake intake, CallbackProperties properties, int maxWorkers, MeterRegistry meters) {
        this(intake, properties, maxWorkers, GRACE, meters);
    }

    /** @param grace how long stopping waits for results being recorded */
    CallbackQueue(
            CallbackIntake intake,
            CallbackProperties properties,
            int maxWorkers,
            Duration grace,
            MeterRegistry meters) {
        this.intake = intake;
        this.properties = properties;
        this.maxWorkers = maxWorkers;
        this.grace = grace;
        // Queue capacity for a new worker: the thread of a worker that has just finished may still be in use.
        this.threads = Threads.pool("callback", maxWorkers, maxWorkers);
        this.batches = DistributionSummary.builder("orth.callback.batch.size")
                .description("results recorded in one transaction")
                .serviceLevelObjectives(1, 10, 50, 100, 200, 500, 1_000)
                .register(meters);
        this.rejected = Counter.builder("orth.callback.requests.rejected")
                .description("callbacks rejected because too many results waited")
                .register(meters);
        Gauge.builder("orth.callback.queued.results", this, CallbackQueue::queued)
                .description("results that wait to be recorded")
                .register(meters);
    }

    /**
     * Returns a response that completes after the results are committed. Results that cannot be recorded are rejected; the others of the
     * same callback are recorded nevertheless.
     *
     * @throws OrthException with {@link ErrorCode#UNAVAILABLE} if too many results wait or this node is stopping
     */
    public CompletableFuture<Outcome> submit(int group, List<CallbackItem> results) {
        Waiting callback = new Waiting(group, results);
        if (results.isEmpty()) {
            callback.respond();
            return callback.response;
        }
        long text = callback.characters();
        synchronized (this) {
            check(results.size(), text);
            waiting.add(callback);
            queued += results.size();
            characters += text;
            if (workers < maxWorkers && (workers < MIN_WORKERS || queued > properties.batchSize())) {
                workers++;
                threads.execute(this::work);
            }
        }
        return callback.response;
    }

    /** Accepts a callback of any size if none is waiting. */
    private void check(int results, long text) {
        if (stopping) {
            throw OrthException.of(ErrorCode.UNAVAILABLE, "this admin is stopping");
        }
        if (queued > 0 && (queued + results > properties.capacity() || characters + text > MAX_CHARACTERS)) {
            rejected.increment();
            throw OrthException.of(
                    ErrorCode.UNAVAILABLE, "%d results wait to be recorded; try again".formatted(queued));
        }
    }

    private synchronized int queued() {
        return queued;
    }

    private void work() {
        for (List<Waiting> batch = next(); !batch.isEmpty(); batch = next()) {
            try {
                record(batch);
                batch.forEach(Waiting::respond);
            } catch (Throwable e) {
                // Catches errors too: every executor must get a response.
                batch.forEach(callback -> callback.response.completeExceptionally(e));
            }
        }
    }

    /** Returns an empty list if nothing waits; the worker then ends. */
    private synchronized List<Waiting> next() {
        List<Waiting> batch = new ArrayList<>();
        int size = 0;
        while (!waiting.isEmpty()
                && (batch.isEmpty() || size + waiting.element().results.size() <= properties.batchSize())) {
            Waiting callback = waiting.remove();
            size += callback.results.size();
            characters -= callback.characters();
            batch.add(callback);
        }
        queued -= size;
        if (batch.isEmpty()) {
            workers--;
        }
        return batch;
    }

    private void record(List<Waiting> batch) {
        List<Item> items = batch.stream()
                .flatMap(callback -> callback.results.stream().map(result -> new Item(callback, result)))
                .toList();
        for (int from = 0; from < items.size(); from += properties.batchSize()) {
            List<Item> some = items.subList(from, Math.min(items.size(), from + properties.batchSize()));
            Splitter.run(some, this::recordTogether, CallbackQueue::reject);
        }
    }

    private void recordTogether(List<Item> items) {
        List<Verdict> verdicts = intake.recordAll(items.stream()
                .map(item -> new Received(item.callback().group, item.result()))
                .toList());
        batches.record(items.size());
        for (int i = 0; i < items.size(); i++) {
            items.get(i).callback().verdicts.add(verdicts.get(i));
        }
    }

    private static void reject(Item item, RuntimeException why) {
        long run = item.result().logId();
        log.atError().setCause(why).addKeyValue("runId", run).log("a result could not be recorded");
        item.callback().rejection = OrthException.of(
                ErrorCode.INVALID_INPUT,
                "the result of run %d could not be recorded; the admin's log has the reason".formatted(run));
    }

    @Override
    public void start() {
        running = true;
    }

    /** Records waiting callbacks and rejects later ones. */
    @Override
    public void stop() {
        running = false;
        synchronized (this) {
            stopping = true;
        }
        threads.shutdown();
        try {
            if (!threads.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
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
