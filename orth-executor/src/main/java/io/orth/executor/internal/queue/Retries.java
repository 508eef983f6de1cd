package io.orth.executor.internal.queue;

import io.orth.executor.internal.queue.WorkLink.Ending;
import io.orth.runtime.DoublingDelay;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long one who speaks with the admins rests when that is in vain: shorter when none can be reached than when they refuse, and
 * shortest when a claim is answered with nothing although it could have waited.
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

    /** @param early whether the answer came long before it had to */
    void afterClaim(boolean gaveSomething, boolean early) throws InterruptedException {
        if (early && !gaveSomething) {
            ledger.rest(empty.next());
        } else {
            empty.reset();
        }
    }

    /**
     * For threads that must not end, whatever happens.
     *
     * @param event what failed, with a place for the queue's name
     */
    void restAfterDefect(Throwable problem, String event, String queue) {
        try {
            log.error(event.formatted(queue), problem);
        } catch (Throwable another) {
            // A problem that cannot even be logged is no reason to end either.
        }
        try {
            ledger.rest(AFTER_DEFECT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable another) {
            // Without a rest, then.
        }
    }
}
