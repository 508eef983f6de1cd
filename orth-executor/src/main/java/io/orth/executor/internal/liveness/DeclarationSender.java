package io.orth.executor.internal.liveness;

import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.BatchSender;
import io.orth.executor.internal.transport.BatchSender.Delivery;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.Json;
import io.orth.protocol.RegistrationReply;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the jobs that the code declares to an admin that requests them in its reply to a heartbeat. If no admin accepts them,
 * they are sent again after a delay. Each reason for a rejection is logged once.
 *
 * <p>All declarations form one item of a batch: they have one hash, and an admin responds to each job.
 */
public final class DeclarationSender {

    private static final Logger log = LoggerFactory.getLogger(DeclarationSender.class);
    private static final Duration UNTIL_ASKED = Duration.ofDays(1);

    private final DeclaredJobs declared;
    private final BatchSender<DeclaredJobs> sender;
    private final AtomicBoolean asked = new AtomicBoolean();

    /** Accessed by the heartbeat thread only. */
    private boolean toldUnknown;

    // Accessed by the loop's thread only. As long as the admins agree, there are no more entries than declarations.
    private final Set<DeclaredJobs.Refused> toldRefused = new HashSet<>();
    private boolean toldFailed;

    public DeclarationSender(Admins admins, DeclaredJobs declared) {
        this.declared = declared;
        this.sender = new BatchSender<>(items -> admins.post(AdminPaths.DECLARATIONS, Json.write(items.get(0))));
    }

    /** Returns the hash of the declarations, which heartbeats carry. */
    public String hash() {
        return declared.hash();
    }

    /** Handles a reply. Returns whether there is something new to send. */
    public boolean answered(RegistrationReply reply) {
        if (reply.declare() == null && !declared.jobs().isEmpty() && !toldUnknown) {
            toldUnknown = true;
            log.warn(
                    "the admin does not know jobs that code declares; {} wait for one that does",
                    declared.jobs().size());
        }
        return reply.asksForDeclarations() && asked.compareAndSet(false, true);
    }

    /** Runs one pass of the loop. Returns the delay before the next one. */
    public Duration run() throws InterruptedException {
        if (!asked.get()) {
            return UNTIL_ASKED;
        }
        Delivery<DeclaredJobs> delivery = sender.send(List.of(declared));
        tell(delivery.outcome());
        Duration rest = sender.restAfter(delivery);
        if (!delivery.isComplete()) {
            return rest;
        }
        // An admin that has asked meanwhile has received the declarations, or asks again.
        asked.set(false);
        return UNTIL_ASKED;
    }

    private void tell(Outcome outcome) {
        if (outcome instanceof Outcome.Accepted accepted) {
            toldFailed = false;
            tellTaken(accepted);
        } else if (!toldFailed) {
            toldFailed = true;
            log.warn("no admin takes the jobs that code declares; trying again: {}", reasonOf(outcome));
        }
    }

    private void tellTaken(Outcome.Accepted accepted) {
        try {
            DeclaredJobs.Answer answer =
                    DeclaredJobs.Answer.from(Reply.from(accepted.answer()).payloadObject());
            int refused = answer.refused().size();
            log.info(
                    "an admin has {} declared jobs, and refused {}",
                    declared.jobs().size() - refused,
                    refused);
            answer.refused().stream()
                    .limit(DeclaredJobs.MOST)
                    .filter(one -> toldRefused.size() < DeclaredJobs.MOST && toldRefused.add(one))
                    .forEach(one -> log.warn("the declared job '{}' was refused: {}", one.name(), one.msg()));
        } catch (WireFormatException e) {
            log.warn("an admin's answer to the declared jobs cannot be read: {}", e.getMessage());
        }
    }

    private static String reasonOf(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused ? refused.reason() : ((Outcome.Unreachable) outcome).reason();
    }
}
