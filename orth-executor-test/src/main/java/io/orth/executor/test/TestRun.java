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
 * Runs a handler once, or for one attempt at a queue message, in a unit test. It uses the same kind of thread and the same rules
 * as an executor: {@code init}, {@code execute} and {@code destroy} are called, an exception fails the run, and
 * {@code OrthJobHelper} works in the handler and in threads that it starts. Uses no network and no admin, and leaves no files
 * behind.
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
     * Creates a run of the {@code @OrthJob} method with this name.
     *
     * @throws IllegalArgumentException if there is no such method, or if the object could not be registered with an executor
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
     * Creates the first of three attempts at a message, for the {@code @OrthQueue} method of this queue. {@link #param} sets the
     * payload.
     *
     * @throws IllegalArgumentException if there is no such method, or if the object could not be registered with an executor
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

    /** Sets the message to process; {@link #param} sets its payload. Default: none, which means a run of a job. */
    public TestRun message(QueueMessage value) {
        message = value;
        return this;
    }

    /** Replaces placeholders in schedules: a test run needs no schedule, and only the application can resolve them. */
    private static String withoutSettings(String text) {
        return text.contains("${") ? "-" : text;
    }

    /** Sets the job's parameter or the message's payload. Default: empty. */
    public TestRun param(String value) {
        param = value;
        return this;
    }

    /** Sets the fire time of the run, with a precision of milliseconds. Default: none, as for a manual trigger. */
    public TestRun scheduleTime(Instant value) {
        scheduleTime = value;
        return this;
    }

    /** Sets the trigger time. Default: noon of 2030-01-01 UTC, so that tests do not depend on the day. */
    public TestRun triggerTime(Instant value) {
        triggerTime = value;
        return this;
    }

    /** Sets the shard. Default: 0 of 1. */
    public TestRun shard(int index, int total) {
        if (index < 0 || index >= total) {
            throw new IllegalArgumentException("there is no shard %d of %d".formatted(index, total));
        }
        shardIndex = index;
        shardTotal = total;
        return this;
    }

    /** Sets the job's id. Default: 1. */
    public TestRun jobId(int value) {
        jobId = value;
        return this;
    }

    /** Sets the id of the run or attempt. Default: 1. */
    public TestRun logId(long value) {
        logId = value;
        return this;
    }

    /** Sets the trace id. Default: none. */
    public TestRun traceId(String value) {
        traceId = value;
        return this;
    }

    /**
     * Sets the timeout of the job, in whole seconds, or of the queue's worker. The run is then interrupted and times out.
     * Default: none.
     */
    public TestRun timeout(Duration value) {
        timeout = value;
        return this;
    }

    /**
     * Cancels the run when {@code signal} completes, as a kill in the console does. The handler can complete the signal at the
     * point of interest. Default: never.
     */
    public TestRun cancelWhen(CompletionStage<?> signal) {
        cancellation = signal;
        return this;
    }

    /** Cancels the run after this time, as a kill in the console does. Default: never. */
    public TestRun cancelAfter(Duration value) {
        return cancelWhen(new CompletableFuture<>().completeOnTimeout(null, value.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Sets how long {@link #execute} waits before the test fails. Default: 10 s. */
    public TestRun patience(Duration value) {
        patience = value;
        return this;
    }

    /**
     * Runs the handler. Returns when it has finished and been destroyed, and its threads have ended.
     *
     * @throws AssertionError if that takes longer than {@link #patience}; the message contains the log so far
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
