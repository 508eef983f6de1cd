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
 * Claims messages of a queue, one claim at a time, and hands them to their lane. A claim without a response is repeated unchanged
 * until it has one, because an admin may have assigned messages to it.
 *
 * <p>When the ledger is closed, nothing more is claimed. A claim in flight is aborted and repeated once without waiting; messages
 * assigned to it are released without being started.
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

    /** The claim without a response; null if there is none. Accessed by this thread only. */
    private Claim claim;

    /** Messages that were claimed and not yet handed to the lane. Accessed by this thread only. */
    private Deque<ClaimedMessage> inHand = new ArrayDeque<>();

    /** The number of claims, and the last one that delivered messages. Accessed by this thread only. */
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
                // The ledger is closed, or is checked again soon.
            } catch (Throwable problem) {
                // Without this thread the queue would stall, so not even an error ends it.
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
            // inHand is empty. Nothing may fail from here until the claim is cleared.
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

    /** Creates a claim, unless there is nothing more to claim. Returns the results that accompany it. */
    private List<MessageResult> claimAnew() throws InterruptedException {
        gate.pass();
        // Created before slots are taken; if it failed later, the slots would be lost.
        String id = UUID.randomUUID().toString();
        MessageLedger.Errand errand = ledger.awaitSlots(link.mostResultsWithAClaim());
        if (errand.slots() > 0) {
            turn++;
            claim = new Claim(number, id, turn, received, errand.slots(), settings.patience());
        }
        return errand.results();
    }

    /**
     * Hands messages to the lane. A message leaves inHand when its lane has accepted it or it has a result, so a failure on the
     * way is retried.
     */
    private void handOut() {
        while (!inHand.isEmpty()) {
            handOut(inHand.element());
            inHand.remove();
        }
    }

    /** Hands over one message. An invalid message does not keep the others from starting. */
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

    /** Releases a message for which there is no slot. An admin that redelivers lost messages does not count slots. */
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
        // The interrupt that aborted the claim must not abort this request.
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
