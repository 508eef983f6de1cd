package io.orth.executor.internal.queue;

import io.orth.executor.internal.Threads;
import io.orth.executor.internal.queue.WorkLink.Claim;
import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Tells results of a queue's messages that come while all its strands wait for answers. Ends when the ledger is over. */
final class Reporter {

    private final String queue;
    private final MessageLedger ledger;
    private final WorkLink link;
    private final Duration timeout;
    private final Retries retries;
    private final Thread thread;

    Reporter(String queue, MessageLedger ledger, WorkLink link, Duration timeout) {
        this.queue = queue;
        this.ledger = ledger;
        this.link = link;
        this.timeout = timeout;
        this.retries = new Retries(ledger);
        this.thread = Threads.service("orth-queue-%s-results".formatted(queue), this::live);
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

    private void pass() throws InterruptedException {
        List<MessageResult> results = ledger.awaitResults(link.mostResults());
        if (!results.isEmpty()) {
            Claim none = new Claim(0, UUID.randomUUID().toString(), 0, 0, 0, Duration.ZERO);
            retries.after(link.exchange(none, results, timeout).ending());
        }
    }
}
