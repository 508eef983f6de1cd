package io.orth.executor.internal.pipeline;

import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.BatchSender;
import io.orth.executor.internal.transport.BatchSender.Delivery;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records of running tasks, all of one kind, to the admins and returns the response to each. A lone record is sent immediately;
 * records that arrive during a request share the next one.
 *
 * <p>While it is open, records are kept until an admin is reached. A record that the admins reject alone is retried without delaying the
 * others, and fails with {@link RejectedException} if the admins still reject it after {@link Route#retryTime}.
 */
final class TaskRecordSender<I, A> {

    /** Thrown if the admins have rejected the record repeatedly, also when it was sent alone. */
    static final class RejectedException extends Exception {

        private static final long serialVersionUID = 1;

        RejectedException(String reason) {
            super(reason);
        }
    }

    /** Thrown if the executor has stopped before an admin responded. */
    static final class StoppedException extends Exception {

        private static final long serialVersionUID = 1;

        StoppedException() {
            super("the executor has stopped");
        }
    }

    /**
     * A kind of record and how it is sent.
     *
     * @param records plural noun for log messages
     * @param responses reads the responses to a batch, in the order of its records
     * @param timeout timeout of a request
     * @param retryTime how long a rejected record is retried
     */
    record Route<I, A>(
            String records,
            String path,
            Function<List<I>, WireMessage> request,
            Function<JsonObject, List<A>> responses,
            Duration timeout,
            Duration retryTime) {}

    private static final Logger log = LoggerFactory.getLogger(TaskRecordSender.class);
    private static final int MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
    private static final long INTERRUPT_GRACE_MILLIS = 1_000;
    private static final Duration REST_AFTER_DEFECT = Duration.ofSeconds(1);

    private final Route<I, A> route;
    private final Admins admins;
    private final PendingRecords<I, A> pending = new PendingRecords<>();
    private final BatchSender<PendingRecord<I, A>> sender = new BatchSender<>(this::post);
    private final Thread thread;

    /** Accessed by the sender's thread only. */
    private boolean failing;

    TaskRecordSender(Route<I, A> route, Admins admins) {
        this.route = route;
        this.admins = admins;
        this.thread = Threads.service("task-" + route.records(), this::run);
    }

    void start() {
        thread.start();
    }

    /**
     * Sends a record. Completing or cancelling the returned future early withdraws the record if it has not been sent.
     *
     * @param bytes approximate size as JSON
     */
    CompletableFuture<A> send(I item, int bytes) {
        CompletableFuture<A> response = new CompletableFuture<>();
        if (!pending.add(new PendingRecord<>(item, bytes, response))) {
            response.completeExceptionally(new StoppedException());
        }
        return response;
    }

    /**
     * Returns when all records have their responses, or at the deadline; the remaining records then fail with
     * {@link StoppedException}.
     */
    void stop(long deadlineNanos) throws InterruptedException {
        pending.close();
        try {
            thread.join(Math.max(
                    1, Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis()));
        } finally {
            thread.interrupt();
        }
        thread.join(INTERRUPT_GRACE_MILLIS);
        pending.removeAll().forEach(record -> record.response().completeExceptionally(new StoppedException()));
    }

    private void run() {
        boolean hasMore = true;
        while (hasMore) {
            try {
                hasMore = sendNext();
            } catch (InterruptedException e) {
                log.debug("stopped before all {} of pipeline tasks were sent", route.records());
                hasMore = false;
            } catch (Throwable problem) {
                // Without this thread every task would wait forever, so not even an error ends it.
                log.error("{} of pipeline tasks could not be sent", route.records(), problem);
            }
        }
    }

    /** Returns whether there may be more. Afterwards each record of the batch is finished or pending again. */
    private boolean sendNext() throws InterruptedException {
        List<PendingRecord<I, A>> batch = pending.take();
        Duration rest = REST_AFTER_DEFECT;
        try {
            if (!batch.isEmpty()) {
                Delivery<PendingRecord<I, A>> delivery = sender.send(batch);
                report(delivery.outcome());
                rest = restAfter(delivery);
            }
        } finally {
            pending.putBack(
                    batch.stream().filter(record -> !record.isFinished()).toList(), rest);
        }
        return !batch.isEmpty();
    }

    /** Rejected records have their own delays and do not delay the others. */
    private Duration restAfter(Delivery<PendingRecord<I, A>> delivery) {
        boolean allRejected =
                delivery.delivered().isEmpty() && delivery.untried().isEmpty();
        return allRejected ? Duration.ZERO : sender.restAfter(delivery);
    }

    private Outcome post(List<PendingRecord<I, A>> batch) throws InterruptedException {
        byte[] request = Json.write(
                route.request().apply(batch.stream().map(PendingRecord::item).toList()));
        Outcome outcome = admins.post(route.path(), request, new Admins.Limits(route.timeout(), MAX_RESPONSE_BYTES));
        if (outcome instanceof Outcome.Accepted accepted) {
            return complete(batch, accepted);
        }
        if (outcome instanceof Outcome.Refused refused && batch.size() == 1) {
            reject(batch.get(0), refused.reason());
        }
        return outcome;
    }

    /** An unreadable response counts as none; every record may be sent again. */
    private Outcome complete(List<PendingRecord<I, A>> batch, Outcome.Accepted accepted) {
        List<A> responses;
        try {
            responses = route.responses().apply(Reply.from(accepted.answer()).payloadObject());
        } catch (WireFormatException e) {
            return new Outcome.Unreachable("an admin's response cannot be read: " + e.getMessage());
        }
        if (responses.size() != batch.size()) {
            return new Outcome.Unreachable(
                    "an admin responded to %d of %d records".formatted(responses.size(), batch.size()));
        }
        for (int i = 0; i < responses.size(); i++) {
            batch.get(i).response().complete(responses.get(i));
        }
        return accepted;
    }

    private void reject(PendingRecord<I, A> record, String reason) {
        if (record.isRejectedSince(route.retryTime())) {
            record.response().completeExceptionally(new RejectedException(reason));
        } else {
            record.rejected();
        }
    }

    private void report(Outcome outcome) {
        if (outcome instanceof Outcome.Accepted) {
            if (failing) {
                failing = false;
                log.info("{} of pipeline tasks are sent again", route.records());
            }
        } else if (!failing) {
            failing = true;
            String reason = outcome instanceof Outcome.Refused refused
                    ? refused.reason()
                    : ((Outcome.Unreachable) outcome).reason();
            log.warn("{} of pipeline tasks could not be sent; retrying: {}", route.records(), reason);
        }
    }
}
