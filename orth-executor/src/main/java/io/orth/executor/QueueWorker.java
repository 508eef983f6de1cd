package io.orth.executor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A queue that an executor works on, with its handler and settings. Pass it to {@link HandlerRegistry.Builder#addQueue};
 * {@link OrthQueue} creates one for a method. Immutable: each setter returns a new worker.
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

    /** Null if the handler is looked up by {@code handlerName}. */
    private final JobHandler handler;

    private final String handlerName;
    private final int concurrency;
    private final Duration timeout;

    /** Null if {@link JobHandler#retryDelay} of the handler decides. */
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
     * Creates a worker with its own handler, which processes one message at a time.
     *
     * @param queue 1 to 100 letters, digits and {@code . _ - :}
     */
    public static QueueWorker of(String queue, JobHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return new QueueWorker(describe(queue), queue, handler, null, 1, Duration.ZERO, null);
    }

    /**
     * Creates a worker that uses a registered handler and processes one message at a time.
     *
     * @param queue 1 to 100 letters, digits and {@code . _ - :}
     * @param handlerName name of a handler in the same registry
     */
    public static QueueWorker of(String queue, String handlerName) {
        Objects.requireNonNull(handlerName, "handlerName");
        return new QueueWorker(describe(queue), queue, null, handlerName, 1, Duration.ZERO, null);
    }

    /**
     * Creates a worker that calls an annotated method.
     *
     * @param method a method of the target's type
     * @param texts resolves the annotation's texts, for example their placeholders
     * @throws IllegalArgumentException if the method cannot be a worker; the message names the class and the method
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

    /** Creates the worker of a pipeline stage's queue. It has no handler; the executor supplies one. */
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

    /** Sets the maximum number of concurrent messages: 1 to 10,000. Default: 1. */
    public QueueWorker concurrency(int messages) {
        return new QueueWorker(owner, queue, handler, handlerName, messages, timeout, retryDelay);
    }

    /** Sets the timeout of an attempt; zero means none. */
    public QueueWorker timeout(Duration value) {
        return new QueueWorker(owner, queue, handler, handlerName, concurrency, value, retryDelay);
    }

    /**
     * Sets the function that decides the delay before the next attempt. Default: the handler's {@link JobHandler#retryDelay},
     * then the queue's backoff.
     */
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

    /** Returns the timeout of an attempt; zero means none. */
    public Duration timeout() {
        return timeout;
    }

    Optional<RetryDelay> retryDelay() {
        return Optional.ofNullable(retryDelay);
    }

    /**
     * Returns this worker's own handler, or the named one.
     *
     * @throws IllegalArgumentException if there is no handler of that name
     */
    JobHandler handler(Map<String, JobHandler> byName) {
        JobHandler found = handler == null ? byName.get(handlerName) : handler;
        if (found == null) {
            throw new IllegalArgumentException(
                    "%s: there is no handler '%s', only %s".formatted(owner, handlerName, byName.keySet()));
        }
        return found;
    }

    /** Returns the origin of this worker, such as the annotated method, for error messages. */
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
