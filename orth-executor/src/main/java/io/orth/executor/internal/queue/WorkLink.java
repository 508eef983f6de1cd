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
 * Speaks with the admins about one queue. Results that ride along with a claim and that no admin takes are back in the ledger when a
 * call returns. Says once that it does not work, and once that it does again.
 */
final class WorkLink {

    /** What a request asks for. */
    record Claim(int strand, String id, long turn, long received, int slots, Duration patience) {}

    /** What came of a request. */
    enum Ending {
        ANSWERED,
        REFUSED,
        UNREACHABLE
    }

    /** @param reply null unless it was answered */
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

    /** How many results did not count, as the message was given to others or had ended. */
    private final AtomicLong refusedResults = new AtomicLong();

    /** Whether results go alone since a request with some was refused, until a report of all that were ready is accepted. */
    private volatile boolean resultsAlone;

    WorkLink(Admins admins, String instanceId, String queue, MessageLedger ledger) {
        this.admins = admins;
        this.instanceId = instanceId;
        this.queue = queue;
        this.ledger = ledger;
    }

    /** After a refusal claims go alone: what was refused may have been a result. */
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

    /** @param clean whether all of them were accepted */
    void reported(boolean clean) {
        resultsAlone = !clean;
    }

    /** @param timeout beyond the time that the answer may wait */
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
