package io.orth.executor.internal.queue;

import io.orth.executor.internal.job.MessageQueue;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.job.TriggerDesk.UnavailableException;
import io.orth.executor.internal.queue.WorkLink.Claim;
import io.orth.executor.internal.queue.WorkLink.Exchange;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for messages of a queue, one claim at a time, and hands them to their lane. A claim that was not answered is repeated as
 * it is until it is: an admin may have given messages under it.
 *
 * <p>When the ledger is closed it asks for nothing more. A claim that is under way is broken off and asked about once more without
 * waiting; what was given under it goes back without being begun.
 */
final class Strand {

    private static final Logger log = LoggerFactory.getLogger(Strand.class);
    private static final Duration LAST_TIMEOUT = Duration.ofSeconds(2);

    private final MessageQueue queue;
    private final MessageLedger ledger;
    private final WorkLink link;
    private final QueueSettings settings;
    private final TriggerDesk desk;
    private final StartGate gate;
    private final Retries retries;
    private final int number;
    private final Thread thread;

    /** Not answered yet; null if there is none. Only this thread touches it. */
    private Claim claim;

    /** Given by an admin and not handed to the lane yet. Only this thread touches it. */
    private Deque<ClaimedMessage> inHand = new ArrayDeque<>();

    /** How many there have been, and the last of them that brought messages. Only this thread touches them. */
    private long turn;

    private long received;

    Strand(MessageQueue queue, int number, MessageLedger ledger, WorkLink link, QueueSettings settings) {
        this.queue = queue;
        this.number = number;
        this.ledger = ledger;
        this.link = link;
        this.settings = settings;
        this.desk = settings.desk();
        this.gate = settings.gate();
        this.retries = new Retries(ledger);
        this.thread = Threads.service("queue-%s-claims-%d".formatted(queue.name(), number + 1), this::live);
    }

    Thread thread() {
        return thread;
    }

    private void live() {
        while (!ledger.isClosed()) {
            try {
                pass();
            } catch (InterruptedException e) {
                // The ledger is closed, or soon asked about again.
            } catch (Throwable problem) {
                // Without this thread the queue would stand still, so not even an error ends it.
                retries.restAfterDefect(problem, "messages of the queue %s could not be asked for", queue.name());
            }
        }
        settle();
    }

    private void pass() throws InterruptedException {
        handOut();
        List<MessageResult> results = claim == null ? claimAnew() : ledger.take(link.mostResultsWithAClaim());
        if (claim == null) {
            return;
        }
        long asked = System.nanoTime();
        Exchange exchange = link.exchange(claim, results, settings.timeout());
        retries.after(exchange.ending());
        if (exchange.isAnswered()) {
            List<ClaimedMessage> messages = exchange.reply().messages();
            // The hand is empty. Nothing can fail from here on until the claim is no more.
            inHand = ledger.answered(claim.slots(), messages);
            if (!messages.isEmpty()) {
                received = claim.turn();
            }
            claim = null;
            handOut();
            boolean early = System.nanoTime() - asked < settings.patience().toNanos() / 2;
            retries.afterClaim(!messages.isEmpty(), early);
        }
    }

    /** Makes a claim, unless there is nothing to ask for any more; returns the results that go with it. */
    private List<MessageResult> claimAnew() throws InterruptedException {
        gate.pass();
        // Made before slots are taken, which would be lost if it failed.
        String id = UUID.randomUUID().toString();
        MessageLedger.Errand errand = ledger.awaitSlots(link.mostResultsWithAClaim());
        if (errand.slots() > 0) {
            turn++;
            claim = new Claim(number, id, turn, received, errand.slots(), settings.patience());
        }
        return errand.results();
    }

    /** A message leaves the hand when it is with its lane or has its result, so what fails on the way is tried again. */
    private void handOut() {
        while (!inHand.isEmpty()) {
            handOut(inHand.element());
            inHand.remove();
        }
    }

    /** One bad message does not keep its neighbours from being begun. */
    private void handOut(ClaimedMessage message) {
        try {
            if (desk.knows(message.logId())) {
                ledger.forget(message.logId());
                return;
            }
            desk.accept(queue, message).ifPresent(refusal -> giveBack(message, refusal));
        } catch (UnavailableException e) {
            giveBack(message);
        } catch (Throwable problem) {
            log.atWarn()
                    .setCause(problem)
                    .addKeyValue("queue", queue.name())
                    .addKeyValue("message", message.id())
                    .log("a message could not be begun");
            end(message, Codes.FAIL, "not executed: " + problem);
        }
    }

    /** There is no room for it: an admin that gives again what went astray does not count slots. */
    private void giveBack(ClaimedMessage message, String because) {
        log.atInfo()
                .addKeyValue("queue", queue.name())
                .addKeyValue("message", message.id())
                .log("a message goes back: {}", because);
        giveBack(message);
    }

    private void giveBack(ClaimedMessage message) {
        end(message, Codes.NONE, null);
    }

    private void end(ClaimedMessage message, int code, String text) {
        ledger.finished(message.logId(), new MessageResult(message.id(), message.logId(), code, text, false, null, 0));
    }

    private void settle() {
        inHand.forEach(this::giveBack);
        if (claim == null) {
            return;
        }
        // What broke off the claim must not break off this.
        Thread.interrupted();
        List<ClaimedMessage> given = List.of();
        try {
            Claim again = new Claim(number, claim.id(), claim.turn(), claim.received(), claim.slots(), Duration.ZERO);
            Exchange exchange = link.exchange(again, List.of(), LAST_TIMEOUT);
            if (exchange.isAnswered()) {
                given = exchange.reply().messages();
            } else {
                log.info(
                        "no admin says whether it gave messages of the queue {} that were asked for last",
                        queue.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ledger.answered(claim.slots(), given).forEach(this::giveBack);
        }
    }
}
