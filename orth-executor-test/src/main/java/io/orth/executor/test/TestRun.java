package io.orth.executor.test;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.JobHandler;
import io.orth.executor.QueueMessage;
import io.orth.executor.internal.job.MessageQueue;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.TriggerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * One run of a handler, or one attempt at a queue's message, in a unit test, on the same kind of thread and with the same rules as
 * in an executor: init, execute and destroy are called, what is thrown fails the run, {@code OrthJobHelper} works in the handler
 * and in threads it starts. There is no network, no admin and no file left behind.
 *
 * <pre>{@code
 * FinishedRun run = TestRun.of(new ReportJobs(), "daily-report")
 *         .scheduleTime(Instant.parse("2030-01-02T00:00:00Z"))
 *         .shard(0, 2)
 *         .execute();
 * }</pre>
 */
public final class TestRun {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final JobHandler handler;
    private QueueMessage message;
    private int jobId = 1;
    private long logId = 1;
    private String param = "";
    private Instant scheduleTime;
    private Instant triggerTime = NOON;
    private int shardIndex;
    private int shardTotal = 1;
    private String traceId;
    private Duration timeout = Duration.ZERO;
    private CompletionStage<?> cancellation = new CompletableFuture<>();
    private Duration patience = Duration.ofSeconds(10);

    private TestRun(JobHandler handler) {
        this.handler = handler;
    }

    public static TestRun of(JobHandler handler) {
        return new TestRun(handler);
    }

    /**
     * A run of the {@code @OrthJob} method with this name.
     *
     * @throws IllegalArgumentException if the object has none, or one that could not be registered with an executor
     */
    public static TestRun of(Object jobs, String name) {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addMethodsOf(jobs, TestRun::withoutSettings)
                .build();
        return new TestRun(handlers.find(name)
                .orElseThrow(() -> new IllegalArgumentException("%s has no @OrthJob named '%s', only %s"
                        .formatted(jobs.getClass().getName(), name, handlers.names()))));
    }

    /**
     * The first of three attempts at a message, by the {@code @OrthQueue} method that works on this queue; {@link #param} sets its
     * payload.
     *
     * @throws IllegalArgumentException if the object has none, or one that could not be registered with an executor
     */
    public static TestRun ofQueue(Object workers, String queue) {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addMethodsOf(workers, TestRun::withoutSettings)
                .build();
        JobHandler handler = handlers.findQueue(queue)
                .orElseThrow(() -> new IllegalArgumentException("%s has no @OrthQueue for '%s', only for %s"
                        .formatted(workers.getClass().getName(), queue, handlers.queues())));
        return new TestRun(handler).message(new QueueMessage(queue, 1, 1, 3, Map.of(), NOON));
    }

    /** Makes it an attempt at this message; {@link #param} sets its payload. Default: none, it is a run of a job. */
    public TestRun message(QueueMessage value) {
        message = value;
        return this;
    }

    /** A run needs no schedule; the settings that placeholders in one stand for are the application's. */
    private static String withoutSettings(String text) {
        return text.contains("${") ? "-" : text;
    }

    /** Default: empty. */
    public TestRun param(String value) {
        param = value;
        return this;
    }

    /** The planned instant, to the millisecond. Default: none, as when triggered by hand. */
    public TestRun scheduleTime(Instant value) {
        scheduleTime = value;
        return this;
    }

    /** Default: noon of 2030-01-01 UTC, so that tests do not depend on the day. */
    public TestRun triggerTime(Instant value) {
        triggerTime = value;
        return this;
    }

    /** Default: 0 of 1. */
    public TestRun shard(int index, int total) {
        if (index < 0 || index >= total) {
            throw new IllegalArgumentException("there is no shard %d of %d".formatted(index, total));
        }
        shardIndex = index;
        shardTotal = total;
        return this;
    }

    /** Default: 1. */
    public TestRun jobId(int value) {
        jobId = value;
        return this;
    }

    /** Default: 1. */
    public TestRun logId(long value) {
        logId = value;
        return this;
    }

    /** Default: none. */
    public TestRun traceId(String value) {
        traceId = value;
        return this;
    }

    /** The job's timeout, in whole seconds, or that of the queue's worker, after which the run is interrupted and times out. Default: none. */
    public TestRun timeout(Duration value) {
        timeout = value;
        return this;
    }

    /**
     * Cancels the run when {@code signal} completes, as the console's "kill" does; the handler completes it where the test wants
     * the run to be cancelled. Default: never.
     */
    public TestRun cancelWhen(CompletionStage<?> signal) {
        cancellation = signal;
        return this;
    }

    /** Cancels the run after a while, as the console's "kill" does. Default: never. */
    public TestRun cancelAfter(Duration value) {
        return cancelWhen(new CompletableFuture<>().completeOnTimeout(null, value.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** How long {@link #execute} waits before the test fails. Default: 10 s. */
    public TestRun patience(Duration value) {
        patience = value;
        return this;
    }

    /**
     * Runs the handler and waits until it is done, destroyed and its threads have ended.
     *
     * @throws AssertionError if that takes longer than the {@link #patience}; the message holds the log so far
     */
    public FinishedRun execute() {
        try (SoloLane lane = new SoloLane(handler, patience)) {
            return lane.run(logId, triggerTime, this::offer, cancellation);
        }
    }

    private Optional<String> offer(TriggerDesk desk) {
        return message == null
                ? desk.accept(trigger())
                : desk.accept(new MessageQueue(message.queue(), handler, 1, timeout), claimed());
    }

    private ClaimedMessage claimed() {
        return new ClaimedMessage(
                message.id(),
                message.attempt(),
                message.maxAttempts(),
                logId,
                triggerTime.toEpochMilli(),
                param,
                message.pushedAt().toEpochMilli(),
                message.metadata(),
                traceId);
    }

    private TriggerRequest trigger() {
        TriggerRequest.Builder trigger = TriggerRequest.of(jobId, handler.toString(), logId, triggerTime.toEpochMilli())
                .params(param)
                .shard(shardIndex, shardTotal)
                .timeoutSeconds(Math.toIntExact(timeout.toSeconds()))
                .traceId(traceId);
        if (scheduleTime != null) {
            trigger.scheduleTime(scheduleTime.toEpochMilli());
        }
        return trigger.build();
    }
}
