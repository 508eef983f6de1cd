package io.orth.executor.internal.queue;

import io.orth.executor.OrthJobContext;
import io.orth.executor.QueueMessage;
import io.orth.executor.RunResult;
import io.orth.executor.internal.CleanText;
import io.orth.executor.internal.job.MessageQueue;
import io.orth.executor.internal.job.ResultSink;
import io.orth.executor.internal.pipeline.LiveTask;
import io.orth.executor.internal.pipeline.TaskOutcomes;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TextLimit;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The queues that an executor works on. */
public final class Queues implements ResultSink {

    private final Map<String, QueueLine> lines;

    // Guarded by this.
    private boolean started;
    private boolean closed;

    public Queues(Stream<MessageQueue> queues, QueueSettings settings) {
        this(queues, queue -> new QueueLine(queue, settings));
    }

    Queues(Stream<MessageQueue> queues, Function<MessageQueue, QueueLine> lines) {
        this.lines = queues.collect(Collectors.toUnmodifiableMap(MessageQueue::name, lines));
    }

    /** Starts claiming messages, unless already started or closed. */
    public synchronized void start() {
        if (!started && !closed) {
            started = true;
            lines.values().forEach(QueueLine::start);
        }
    }

    @Override
    public void finished(OrthJobContext run, RunResult result, Duration took) {
        lineOf(run).finished(run.logId(), resultOf(run, result, took));
    }

    private QueueLine lineOf(OrthJobContext run) {
        return lines.get(run.message().map(QueueMessage::queue).orElseThrow());
    }

    private static MessageResult resultOf(OrthJobContext run, RunResult result, Duration took) {
        // Truncated first, so that the cost of a text is bounded by the part that is sent.
        String text = result.text() == null ? null : CleanText.of(TextLimit.CALLBACK.cut(result.text()));
        MessageResult reported = new MessageResult(
                idOf(run),
                run.logId(),
                result.code(),
                text,
                result instanceof RunResult.FailedForGood,
                result instanceof RunResult.RetryAfter later ? MessageResult.millisOf(later.delay()) : null,
                took.toMillis());
        return run.task().isPresent()
                ? reported.with(TaskOutcomes.of((LiveTask) run.task().get(), result))
                : reported;
    }

    /**
     * Stops claiming and immediately releases messages that have not started. Running messages are reported when they end. The
     * caller must have closed the desk, so that nothing more starts.
     */
    public synchronized void close() {
        if (!closed) {
            closed = true;
            lines.values().forEach(line -> line.close(Queues::unbegun));
        }
    }

    /** Releases messages that have not started. While no admin was reachable, they may have been delivered to other executors. */
    public void returnUnstarted() {
        lines.values().forEach(line -> line.returnUnstarted(Queues::unbegun));
    }

    private static MessageResult unbegun(OrthJobContext run) {
        return new MessageResult(idOf(run), run.logId(), Codes.NONE, null, false, null, 0);
    }

    private static long idOf(OrthJobContext run) {
        return run.message().map(QueueMessage::id).orElseThrow();
    }

    private synchronized boolean hasStarted() {
        return started;
    }

    /** Returns whether this is closed and an admin has accepted the result of every message. */
    public boolean allDelivered() {
        return lines.values().stream().allMatch(QueueLine::isOver);
    }

    /** Returns the number of results that no admin has accepted. */
    public long unsent() {
        return lines.values().stream().mapToLong(QueueLine::untold).sum();
    }

    /** Returns those of these attempts, by log id, whose result no admin has accepted. */
    public Set<Long> unsent(Collection<Long> logIds) {
        Set<Long> unsent = new HashSet<>();
        lines.values().forEach(line -> unsent.addAll(line.unsent(logIds)));
        return unsent;
    }

    /** Delivers results for up to {@code grace}, then stops. */
    public void stop(Duration grace) throws InterruptedException {
        close();
        long deadline = System.nanoTime() + grace.toNanos();
        if (hasStarted()) {
            for (QueueLine line : lines.values()) {
                line.stop(deadline);
            }
        }
    }
}
