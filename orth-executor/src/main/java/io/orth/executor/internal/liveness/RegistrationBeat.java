package io.orth.executor.internal.liveness;

import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.RegistrationReply;
import io.orth.protocol.WireFormatException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats to the admins until the executor has drained and deregistered. Logs once that no admin can be reached, and
 * once that one can again.
 *
 * <p>Heartbeats keep their interval however long a request takes. Orth's admins can shorten the interval; once an admin of
 * another kind has replied, it is at least 30 s.
 */
public final class RegistrationBeat {

    private static final Logger log = LoggerFactory.getLogger(RegistrationBeat.class);
    private static final Duration UNDER_OTHERS = Duration.ofSeconds(30);
    private static final Duration WHILE_DRAINING = Duration.ofSeconds(1);
    private static final Duration AFTER_LEAVING = Duration.ofDays(1);

    /**
     * The state that a heartbeat reads and the listener that it notifies.
     *
     * @param registration the registration to send
     * @param draining whether the executor accepts no new work
     * @param drained whether, in addition, all work is finished and reported
     * @param onAccepted receives the reply to every acknowledged heartbeat
     */
    public record Surroundings(
            Supplier<Registration> registration,
            BooleanSupplier draining,
            BooleanSupplier drained,
            Consumer<RegistrationReply> onAccepted) {}

    private final Admins admins;
    private final AdminContact contact;
    private final Surroundings surroundings;
    private final Duration interval;
    private final LongSupplier nanos;

    /** Null before the first heartbeat. Accessed by the loop's thread only. */
    private Boolean registered;

    private volatile boolean left;

    /** @param interval the configured interval; Orth admins can shorten it, admins of another kind lengthen it */
    public RegistrationBeat(
            Admins admins, AdminContact contact, Surroundings surroundings, Duration interval, LongSupplier nanos) {
        this.admins = admins;
        this.contact = contact;
        this.surroundings = surroundings;
        this.interval = interval;
        this.nanos = nanos;
    }

    /** Runs one pass of the loop. Returns the delay before the next one. */
    public Duration run() throws InterruptedException {
        if (!left && surroundings.drained().getAsBoolean()) {
            leave();
        }
        if (left) {
            return AFTER_LEAVING;
        }
        long sent = nanos.getAsLong();
        Duration wanted = beat(sent);
        Duration rest = wanted.minusNanos(nanos.getAsLong() - sent);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /** Deregisters, so that nothing more is dispatched here. Does nothing if an admin has already confirmed it. */
    public void leave() throws InterruptedException {
        if (left) {
            return;
        }
        Outcome outcome = admins.post(
                AdminPaths.REGISTRY_REMOVE,
                Json.write(surroundings.registration().get()));
        left = outcome instanceof Outcome.Accepted;
        if (left) {
            contact.left();
            log.info("took leave of the admin");
        }
    }

    /** Sends one heartbeat. Returns the time from this heartbeat to the next. */
    private Duration beat(long sent) throws InterruptedException {
        Registration current = surroundings.registration().get();
        Outcome outcome = admins.post(AdminPaths.REGISTRY, Json.write(current));
        RegistrationReply reply = null;
        if (outcome instanceof Outcome.Accepted answered) {
            try {
                reply = RegistrationReply.from(answered.answer());
                contact.acknowledged(reply, sent);
            } catch (WireFormatException e) {
                outcome = new Outcome.Unreachable("an admin's answer cannot be read: " + e.getMessage());
            }
        }
        boolean accepted = outcome instanceof Outcome.Accepted;
        if (registered == null || registered != accepted) {
            registered = accepted;
            tell(current, outcome);
        }
        if (accepted) {
            surroundings.onAccepted().accept(reply);
        } else {
            contact.missed();
        }
        return next(accepted);
    }

    private Duration next(boolean accepted) {
        if (surroundings.draining().getAsBoolean()) {
            return shorter(interval, WHILE_DRAINING);
        }
        return accepted && !contact.underOrth()
                ? longer(interval, UNDER_OTHERS)
                : shorter(interval, contact.rule().interval());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Logs the outcome. The messages contain the reasons because many logging configurations do not show key/values. */
    private void tell(Registration current, Outcome outcome) {
        if (outcome instanceof Outcome.Accepted) {
            log.info("registered with an admin as {} of group {}", current.address(), current.group());
        } else if (outcome instanceof Outcome.Refused refused) {
            log.warn("no admin accepts this executor; trying again: {}", refused.reason());
        } else if (outcome instanceof Outcome.Unreachable unreachable) {
            log.warn("no admin can be reached; trying again: {}", unreachable.reason());
        }
    }
}
