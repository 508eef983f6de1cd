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

/** Reports results of a queue's messages that arrive while all its claim loops wait for responses. Ends when the ledger is finished. */
final class Reporter {

    private final String queue;
    private final MessageLedger ledger;
    private final WorkLink link;
    private final Duration timeout;
    private final Retries retries;
    private final BatchSender<MessageResult> sender;
    private final Thread thread;

    /** Results of the current report that no admin has accepted. Accessed by this thread only. */
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
                // Without this thread, messages would keep their slots, so not even an error ends it.
                retries.restAfterDefect(problem, "results of the queue %s could not be reported", queue);
            }
        }
    }

    /** Reports one batch. Results that no admin has accepted are back in the ledger when it returns. */
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
            // Queued behind the others for the retry. Otherwise, as many rejected results as end a round would block
            // the others.
            left.removeAll(results);
            left.addAll(results);
        }
        return outcome;
    }
}
