package io.orth.executor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A queue that an executor works on, with which handler and how. Added to {@link HandlerRegistry.Builder#addQueue}, or made by
 * {@link OrthQueue}. Each method that sets something gives back another worker and leaves this one as it is.
 *
 * <pre>{@code
 * HandlerRegistry.builder()
 *         .add("send-mail", mailer)
 *         .addQueue(QueueWorker.of("emails", "send-mail").concurrency(8).timeout(Duration.ofSeconds(30)))
 * }</pre>
 */
public final class QueueWorker {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,100}");
    private static final int MOST_AT_ONCE = 10_000;
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(30);
    private static final String NONE = "-";

    private final String owner;
    private final String queue;

    /** Null where it is named. */
    private final JobHandler handler;

    private final String handlerName;
    private final int concurrency;
    private final Duration timeout;

    /** Null where the handler decides, if anything does. */
    private final RetryDelay retryDelay;

    private QueueWorker(
            String owner,
            String queue,
            JobHandler handler,
            String handlerName,
            int concurrency,
            Duration timeout,
            RetryDelay retryDelay) {
        this.owner = owner;
        this.queue = queue;
        this.handler = handler;
        this.handlerName = handlerName;
        this.concurrency = concurrency;
        this.timeout = timeout;
        this.retryDelay = retryDelay;
        check();
    }

    /**
     * A worker with a handler of its own, that works on one message at a time.
     *
     * @param queue 1 to 100 letters, digits and {@code . _ - :}
     */
    public static QueueWorker of(String queue, JobHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return new QueueWorker(describe(queue), queue, handler, null, 1, Duration.ZERO, null);
    }

    /**
     * A worker with a handler that is added under this name too, and that works on one message at a time.
     *
     * @param queue 1 to 100 letters, digits and {@code . _ - :}
     */
    public static QueueWorker of(String queue, String handlerName) {
        Objects.requireNonNull(handlerName, "handlerName");
        return new QueueWorker(describe(queue), queue, null, handlerName, 1, Duration.ZERO, null);
    }

    /**
     * The worker that is a method.
     *
     * @param method a method of the target's type
     * @param texts makes the text that is meant of the text that the annotation has, as by resolving placeholders
     * @throws IllegalArgumentException naming the class and the method, if it cannot be a worker
     */
    public static QueueWorker of(
            OrthQueue said, MethodJobHandler.Target target, Method method, UnaryOperator<String> texts) {
        String owner = "@OrthQueue on " + MethodJobHandler.describe(method);
        return new QueueWorker(
                owner,
                texts.apply(said.value()),
                MethodJobHandler.of(said, target, method),
                null,
                said.concurrency(),
                timeoutOf(said.timeout(), owner, texts),
                null);
    }

    /** For the queue of a pipeline's stage, whose handler is known to nobody but the executor. */
    static QueueWorker ofStage(String owner, String queue) {
        return new QueueWorker(owner, queue, null, null, 1, Duration.ZERO, null);
    }

    static Duration timeoutOf(String said, String owner, UnaryOperator<String> texts) {
        String text = said.isEmpty() ? NONE : texts.apply(said);
        if (text.strip().equals(NONE)) {
            return Duration.ZERO;
        }
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: timeout %s".formatted(owner, e.getMessage()), e);
        }
    }

    /** How many messages at once: 1 to 10,000. */
    public QueueWorker concurrency(int messages) {
        return new QueueWorker(owner, queue, handler, handlerName, messages, timeout, retryDelay);
    }

    /** How long a message may take; zero for as long as it wants. */
    public QueueWorker timeout(Duration value) {
        return new QueueWorker(owner, queue, handler, handlerName, concurrency, value, retryDelay);
    }

    /** Decides how long the next attempt at a message waits after a failure; the queue's backoff unless set. */
    public QueueWorker retryDelay(RetryDelay decision) {
        Objects.requireNonNull(decision, "retryDelay");
        return new QueueWorker(owner, queue, handler, handlerName, concurrency, timeout, decision);
    }

    QueueWorker queue(String name) {
        return new QueueWorker(owner, name, handler, handlerName, concurrency, timeout, retryDelay);
    }

    public String queue() {
        return queue;
    }

    public int concurrency() {
        return concurrency;
    }

    /** Zero if there is none. */
    public Duration timeout() {
        return timeout;
    }

    Optional<RetryDelay> retryDelay() {
        return Optional.ofNullable(retryDelay);
    }

    /** @throws IllegalArgumentException if there is no handler of the name it wants */
    JobHandler handler(Map<String, JobHandler> byName) {
        JobHandler found = handler == null ? byName.get(handlerName) : handler;
        if (found == null) {
            throw new IllegalArgumentException(
                    "%s: there is no handler '%s', only %s".formatted(owner, handlerName, byName.keySet()));
        }
        return found;
    }

    /** What has it work on the queue. */
    @Override
    public String toString() {
        return owner;
    }

    private void check() {
        if (queue == null || !NAME.matcher(queue).matches()) {
            throw wrong("the queue's name must be 1 to 100 letters, digits and . _ - :, got '%s'".formatted(queue));
        }
        if (concurrency < 1 || concurrency > MOST_AT_ONCE) {
            throw wrong("concurrency must be between 1 and %d, got %d".formatted(MOST_AT_ONCE, concurrency));
        }
        if (timeout == null || timeout.isNegative() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw wrong("timeout must be between nothing and %s, got %s".formatted(LONGEST_TIMEOUT, timeout));
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("%s: %s".formatted(owner, what));
    }

    private static String describe(String queue) {
        return "the worker of the queue '%s'".formatted(queue);
    }
}
