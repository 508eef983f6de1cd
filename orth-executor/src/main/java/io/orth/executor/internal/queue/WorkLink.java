package io.orth.executor.internal.queue;

import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests to the admins for one queue. Results that accompany a claim and that no admin accepts are back in the ledger when
 * a call returns. Logs once that requests fail, and once that they succeed again.
 */
final class WorkLink {

    /** The parameters of a claim. */
    record Claim(int strand, String id, long turn, long received, int slots, Duration patience) {}

    /** The outcome of a request. */
    enum Ending {
        ANSWERED,
        REFUSED,
        UNREACHABLE
    }

    /** @param reply null without a response */
    record Exchange(Ending ending, WorkReply reply) {

        boolean isAnswered() {
            return ending == Ending.ANSWERED;
        }
    }

    private static final Logger log = LoggerFactory.getLogger(WorkLink.class);
    private static final int ANSWER_BYTES = 32 * 1024 * 1024;

    private final Admins admins;
    private final String instanceId;
    private final String queue;
    private final MessageLedger ledger;
    private final AtomicBoolean failing = new AtomicBoolean();

    /** The number of results that the admins ignored because the message had been delivered to another executor or had ended. */
    private final AtomicLong refusedResults = new AtomicLong();

    /**
     * Whether results are sent without claims: set when a request with results is rejected, until a report of all pending results
     * is accepted.
     */
    private volatile boolean resultsAlone;

    WorkLink(Admins admins, String instanceId, String queue, MessageLedger ledger) {
        this.admins = admins;
        this.instanceId = instanceId;
        this.queue = queue;
        this.ledger = ledger;
    }

    /** Returns how many results a claim may carry. After a rejection it is zero, because a result may have caused the rejection. */
    int mostResultsWithAClaim() {
        return resultsAlone ? 0 : MessageLedger.MOST_AT_ONCE;
    }

    /** Reports results without a claim. */
    Outcome report(List<MessageResult> results, Duration timeout) throws InterruptedException {
        Claim none = new Claim(0, UUID.randomUUID().toString(), 0, 0, 0, Duration.ZERO);
        Outcome outcome = post(none, results, timeout);
        Exchange exchange = understand(outcome);
        if (!exchange.isAnswered()) {
            return outcome instanceof Outcome.Refused ? outcome : new Outcome.Unreachable("no admin has answered");
        }
        count(exchange.reply().refused());
        return outcome;
    }

    /** @param clean whether all results were accepted */
    void reported(boolean clean) {
        resultsAlone = !clean;
    }

    /** @param timeout allowed in addition to the duration of the long poll */
    Exchange exchange(Claim claim, List<MessageResult> results, Duration timeout) throws InterruptedException {
        boolean taken = false;
        try {
            Exchange exchange = understand(post(claim, results, timeout));
            if (exchange.isAnswered()) {
                taken = true;
                count(exchange.reply().refused());
            } else if (exchange.ending() == Ending.REFUSED && !results.isEmpty()) {
                resultsAlone = true;
            }
            return exchange;
        } finally {
            ledger.rode(results, taken);
        }
    }

    private Outcome post(Claim claim, List<MessageResult> results, Duration timeout) throws InterruptedException {
        byte[] request = Json.write(requestOf(claim, results));
        Duration limit = claim.patience().plus(timeout);
        return admins.post(AdminPaths.QUEUE_WORK, request, new Admins.Limits(limit, ANSWER_BYTES));
    }

    private WorkRequest requestOf(Claim claim, List<MessageResult> results) {
        return new WorkRequest(
                instanceId,
                queue,
                claim.strand(),
                claim.id(),
                claim.turn(),
                claim.received(),
                claim.slots(),
                ledger.held(),
                claim.patience().toMillis(),
                results);
    }

    private Exchange understand(Outcome outcome) {
        if (outcome instanceof Outcome.Accepted accepted) {
            try {
                WorkReply reply = WorkReply.from(Reply.from(accepted.answer()).payloadObject());
                worksAgain();
                return new Exchange(Ending.ANSWERED, reply);
            } catch (WireFormatException e) {
                tellOnce("an admin's answer cannot be read: " + e.getMessage());
                return new Exchange(Ending.UNREACHABLE, null);
            }
        }
        if (outcome instanceof Outcome.Refused refused) {
            tellOnce(refused.reason());
            return new Exchange(Ending.REFUSED, null);
        }
        tellOnce(((Outcome.Unreachable) outcome).reason());
        return new Exchange(Ending.UNREACHABLE, null);
    }

    private void worksAgain() {
        if (failing.compareAndSet(true, false)) {
            log.info("messages of the queue {} are asked for and reported again", queue);
        }
    }

    private void tellOnce(String reason) {
        if (failing.compareAndSet(false, true)) {
            log.warn("messages of the queue {} cannot be asked for or reported; trying again: {}", queue, reason);
        }
    }

    private void count(List<Long> refused) {
        if (!refused.isEmpty()) {
            long all = refusedResults.addAndGet(refused.size());
            log.debug("results of messages {} of the queue {} did not count; {} so far", refused, queue, all);
        }
    }
}
