package io.orth.executor.internal.queue;

import io.orth.executor.internal.transport.BatchSender;
import io.orth.executor.internal.transport.BatchSender.Delivery;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.MessageResult;
import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reports results of a queue's messages that come while all its strands wait for responses. Ends when the ledger is over. */
final class Reporter {

    private final String queue;
    private final MessageLedger ledger;
    private final WorkLink link;
    private final Duration timeout;
    private final Retries retries;
    private final BatchSender<MessageResult> sender;
    private final Thread thread;

    /** Results that are being reported and that no admin has taken. Only this thread touches it. */
    private final Set<MessageResult> left = new LinkedHashSet<>();

    Reporter(String queue, MessageLedger ledger, WorkLink link, Duration timeout) {
        this.queue = queue;
        this.ledger = ledger;
        this.link = link;
        this.timeout = timeout;
        this.retries = new Retries(ledger);
        this.sender = new BatchSender<>(this::report);
        this.thread = Threads.service("queue-%s-results".formatted(queue), this::live);
    }

    Thread thread() {
        return thread;
    }

    private void live() {
        while (!ledger.isOver()) {
            try {
                pass();
            } catch (InterruptedException e) {
                return;
            } catch (Throwable problem) {
                // Without this thread messages would keep their slots, so not even an error ends it.
                retries.restAfterDefect(problem, "results of the queue %s could not be reported", queue);
            }
        }
    }

    /** Results that no admin takes are back in the ledger when it returns. */
    private void pass() throws InterruptedException {
        List<MessageResult> results = ledger.awaitResults(MessageLedger.MOST_AT_ONCE);
        if (results.isEmpty()) {
            return;
        }
        left.addAll(results);
        Delivery<MessageResult> delivery;
        try {
            delivery = sender.send(results);
        } finally {
            ledger.reported(List.copyOf(left), false);
            left.clear();
        }
        link.reported(delivery.isComplete());
        ledger.rest(sender.restAfter(delivery));
    }

    private Outcome report(List<MessageResult> results) throws InterruptedException {
        Outcome outcome = link.report(results, timeout);
        if (outcome instanceof Outcome.Accepted) {
            ledger.reported(results, true);
            results.forEach(left::remove);
        } else if (outcome instanceof Outcome.Refused && results.size() == 1) {
            // Behind the others when it is tried again: as many refused ones as end a round would otherwise keep them
            // back.
            left.removeAll(results);
            left.addAll(results);
        }
        return outcome;
    }
}
