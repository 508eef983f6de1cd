package io.orth.executor.internal.queue;

import io.orth.executor.internal.queue.WorkLink.Ending;
import io.orth.runtime.DoublingDelay;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delays after unsuccessful requests to the admins: shorter if no admin can be reached than if they reject the request, and
 * shortest if a claim returns no messages although it could have waited.
 */
final class Retries {

    private static final Logger log = LoggerFactory.getLogger(Retries.class);
    private static final Duration AFTER_DEFECT = Duration.ofSeconds(1);

    private final MessageLedger ledger;
    private final DoublingDelay unreachable = new DoublingDelay(Duration.ofMillis(200), Duration.ofSeconds(5));
    private final DoublingDelay empty = new DoublingDelay(Duration.ofMillis(50), Duration.ofSeconds(1));
    private final DoublingDelay refused = new DoublingDelay(Duration.ofSeconds(1), Duration.ofSeconds(30));

    Retries(MessageLedger ledger) {
        this.ledger = ledger;
    }

    void after(Ending ending) throws InterruptedException {
        switch (ending) {
            case ANSWERED -> {
                unreachable.reset();
                refused.reset();
            }
            case UNREACHABLE -> ledger.rest(unreachable.next());
            case REFUSED -> ledger.rest(refused.next());
        }
    }

    /** @param early whether the response came long before the long poll had to end */
    void afterClaim(boolean gaveSomething, boolean early) throws InterruptedException {
        if (early && !gaveSomething) {
            ledger.rest(empty.next());
        } else {
            empty.reset();
        }
    }

    /**
     * Logs the defect and waits; for threads that must not end, whatever happens.
     *
     * @param event failure message with a placeholder for the queue's name
     */
    void restAfterDefect(Throwable problem, String event, String queue) {
        try {
            log.error(event.formatted(queue), problem);
        } catch (Throwable another) {
            // A problem that cannot be logged must not end the thread either.
        }
        try {
            ledger.rest(AFTER_DEFECT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable another) {
            // Continue without a delay.
        }
    }
}
