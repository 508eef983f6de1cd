package io.orth.admin.queue;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.queue.QueueDriver.Handed;
import io.orth.admin.queue.QueueDriver.Turn;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.Codes;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.MessageResult;
import io.orth.protocol.PushReply.Pushed;
import io.orth.protocol.PushRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Queues: created on first use, configured by operators, filled by producers. */
@Component
public final class Queues {

    private static final int MOST_HANDED_OVER = 100;
    private static final String REPORT_LOST = "it failed, and the report of its error was lost";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

    private final QueueRepository queues;
    private final QueueLimits limits;
    private final QueueDriver driver;
    private final GuestService guests;
    private final QueueSignals signals;
    private final Transactions transactions;
    private final SystemLog log;
    private final QueueProperties properties;

    Queues(
            JdbcClient jdbc,
            QueueDriver driver,
            GuestService guests,
            QueueSignals signals,
            Transactions transactions,
            SystemLog log,
            QueueProperties properties) {
        this.queues = new QueueRepository(jdbc);
        this.limits = new QueueLimits(jdbc);
        this.driver = driver;
        this.guests = guests;
        this.signals = signals;
        this.transactions = transactions;
        this.log = log;
        this.properties = properties;
    }

    public List<Queue> list() {
        return queues.list();
    }

    /** Returns queues by name. {@code part}, a part of the name ignoring case, and {@code after}, the cursor, are null for any. */
    public List<Queue> list(String part, String after, int limit) {
        return queues.list(part, after, limit);
    }

    /** Default settings of a new queue. */
    public QueueSetup usual() {
        return new QueueSetup(
                null, properties.maxAttempts(), properties.backoff().toBackoff(), Queue.Limits.NONE, null);
    }

    public Optional<Queue> find(String name) {
        return queues.find(name);
    }

    public Queue get(String name) {
        return find(name).orElseThrow(() -> OrthException.notFound("queue", name));
    }

    private Queue lock(String name) {
        return queues.lock(name).orElseThrow(() -> OrthException.notFound("queue", name));
    }

    /** Returns the names of queues by id. */
    public Map<Integer, String> names(Collection<Integer> ids) {
        return ids.isEmpty() ? Map.of() : queues.names(ids);
    }

    /** Returns the queue of this name, and creates it if it does not exist. */
    public Queue open(String name) {
        Optional<Queue> known = queues.find(name);
        return known.orElseGet(() -> {
            checkName(name);
            transactions.run(() -> queues.add(name, usual(), properties.maxQueues()));
            return find(name)
                    .orElseThrow(() -> OrthException.of(
                            ErrorCode.CONFLICT,
                            "queue %s cannot be made: there are %d, and orth.queue.max-queues allows no more"
                                    .formatted(name, properties.maxQueues())));
        });
    }

    /** Deletes a queue without messages. A later push to its name creates a new one. */
    public void delete(String name) {
        transactions.run(() -> {
            Queue queue = lock(name);
            if (queues.hasMessages(queue.id())) {
                throw OrthException.of(
                        ErrorCode.CONFLICT,
                        "queue %s has messages, dead letters, or pushes that wait for it: purge, and retry or discard those"
                                .formatted(name));
            }
            queues.delete(queue.id());
        });
        log.publish(LogLevel.INFO, "queue %s is deleted".formatted(name), null, name);
    }

    /** Fails an attempt that no executor will report. Has no effect if the attempt is finished. */
    public void fail(Queue queue, Message message, String why) {
        MessageResult failed = new MessageResult(message.id(), message.logId(), Codes.FAIL, why, false, null, 0);
        record(queue.name(), message.executorId(), List.of(failed));
    }

    /**
     * Records an attempt that the executor has finished and will not report again, as far as the executor remembers the result. Has no
     * effect if the attempt is finished.
     */
    public void finish(Queue queue, Message message, Known known) {
        record(queue.name(), message.executorId(), List.of(remembered(message.id(), message.logId(), known)));
    }

    /** Returns the result of an attempt as far as its executor remembers it. */
    static MessageResult remembered(long id, long logId, Known known) {
        int code = known.handleCode();
        String error = code == Codes.SUCCESS || code == Codes.NONE ? null : REPORT_LOST;
        return new MessageResult(id, logId, code, error, known.nonRetryable(), known.retryAfterMillis(), 0);
    }

    /** Records results that this executor does not report itself. Returns the number of accepted results. */
    int record(String queue, long executorId, List<MessageResult> results) {
        Turn turn = driver.work(queue, results, Claim.none(executorId));
        if (turn.opens()) {
            signals.pushed(queue);
        }
        return turn.counted();
    }

    /** Returns the queue for executors of this group, and creates it if it does not exist. The first group that polls a queue owns it. */
    Queue openFor(String name, int group) {
        Queue queue = open(name);
        if (queue.groupId() == null) {
            transactions.run(() -> queues.adopt(queue.id(), group));
            return openFor(name, group);
        }
        if (queue.groupId() != group) {
            throw OrthException.of(
                    ErrorCode.NOT_ALLOWED, "queue %s is worked on by another executor group".formatted(name));
        }
        return queue;
    }

    /**
     * Adds all messages, or none if one is invalid. Returns one result for each, in their order. If the caller has a transaction, joins it
     * and signals waiting claims after its commit. Otherwise the first waiting claim gets the messages in the same step.
     */
    public List<Pushed> push(String name, List<MessageSpec> messages) {
        return pushOnce(name, null, messages);
    }

    /**
     * Adds messages like {@link #push}. Within a day, a repeated push with the same {@code id} adds nothing and returns the same result.
     * {@code id} may be null.
     */
    public List<Pushed> pushOnce(String name, String id, List<MessageSpec> messages) {
        check(messages);
        if (messages.isEmpty()) {
            return List.of();
        }
        Optional<Handed> handed = mayBeHandedOver(messages)
                ? opening(name, () -> guests.handOver(name, waiting -> driver.push(name, id, messages, waiting)))
                : Optional.empty();
        List<Pushed> pushed =
                handed.map(Handed::pushed).orElseGet(() -> opening(name, () -> driver.push(name, id, messages)));
        if (handed.isEmpty() || !handed.get().isComplete()) {
            Transactions.whenCommitted(() -> signals.pushed(name));
        }
        return pushed;
    }

    /** The waiting claim cannot be served otherwise during the push, so only quick pushes take it. */
    private static boolean mayBeHandedOver(List<MessageSpec> messages) {
        return !Transactions.isActive()
                && messages.size() <= MOST_HANDED_OVER
                && !messages.stream().allMatch(MessageSpec::isDelayed);
    }

    /** The queue nearly always exists, so it is created only after the step fails. */
    private <T> T opening(String name, Supplier<T> step) {
        try {
            return step.get();
        } catch (OrthException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            open(name);
            return step.get();
        }
    }

    /** @throws OrthException naming the messages that no queue accepts */
    void check(List<MessageSpec> messages) {
        if (messages.size() > PushRequest.MOST) {
            throw OrthException.invalid("messages", "must be at most %d".formatted(PushRequest.MOST));
        }
        for (int i = 0; i < messages.size(); i++) {
            checkSize("messages[%d].payload".formatted(i), messages.get(i).payload());
        }
    }

    /** Discards waiting messages. Returns those that were waiting. */
    public Set<Long> discard(Queue queue, Collection<Long> ids) {
        return driver.discard(queue.name(), ids, List.of());
    }

    /** Checks a payload written by an operator, and returns it. May be null. */
    public String checkedPayload(String payload) {
        if (payload != null) {
            checkSize("payload", MessageSpec.of(payload).payload());
        }
        return payload;
    }

    private void checkSize(String field, String payload) {
        long most = properties.maxPayload().toBytes();
        // A character has at most three bytes, so counting is rarely necessary.
        if (payload.length() * 3L > most && payload.getBytes(StandardCharsets.UTF_8).length > most) {
            throw OrthException.invalid(field, "must have at most %d bytes".formatted(most));
        }
    }

    /** Pauses the queue. When this returns, no more messages are claimed. Running messages continue. */
    public Queue pause(String name) {
        Queue paused = change(name, queue -> queues.pause(queue.id(), true));
        log.publish(LogLevel.INFO, "queue %s is paused".formatted(name), null, name);
        return paused;
    }

    public Queue resume(String name) {
        Queue resumed = change(name, queue -> queues.pause(queue.id(), false));
        log.publish(LogLevel.INFO, "queue %s is resumed".formatted(name), null, name);
        signals.pushed(name);
        return resumed;
    }

    /** Waits for the steps in progress on the queue. Later steps see the change. */
    private Queue change(String name, Consumer<Queue> change) {
        Queue changed = transactions.call(() -> {
            change.accept(lock(name));
            return get(name);
        });
        Transactions.whenCommitted(() -> driver.changed(changed));
        return changed;
    }

    /** Changes the settings of a queue. Fails if {@code setup} is based on another version. */
    public Queue configure(String name, QueueSetup setup) {
        Queue configured = change(name, queue -> {
            if (setup.version() != null && setup.version() != queue.version()) {
                throw OrthException.of(
                        ErrorCode.PRECONDITION_FAILED,
                        "queue %s was changed meanwhile: it is at version %d".formatted(name, queue.version()));
            }
            queues.update(queue.id(), setup);
            if (setup.limits().any() && !setup.limits().equals(queue.limits())) {
                limits.reset(queue.id());
            }
        });
        Transactions.whenCommitted(() -> {
            log.publish(LogLevel.INFO, "queue %s is set up anew".formatted(name), null, name);
            signals.pushed(name);
        });
        return configured;
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw OrthException.invalid(
                    "queue", "must be 1 to 100 letters, digits, dots, dashes, colons or underscores");
        }
    }
}
