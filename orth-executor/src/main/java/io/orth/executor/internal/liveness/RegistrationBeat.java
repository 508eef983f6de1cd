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
 * Tells the admins with every beat that this executor is there, until it has drained and left. Says once that none can be
 * reached, and once that one can.
 *
 * <p>Beats come at their interval, whatever a request takes: at that of Orth's admins, every 30 s once an admin of another kind has
 * answered.
 */
public final class RegistrationBeat {

    private static final Logger log = LoggerFactory.getLogger(RegistrationBeat.class);
    private static final Duration UNDER_OTHERS = Duration.ofSeconds(30);
    private static final Duration WHILE_DRAINING = Duration.ofSeconds(1);
    private static final Duration AFTER_LEAVING = Duration.ofDays(1);

    /**
     * What the beat asks and tells.
     *
     * @param registration what to send
     * @param draining whether the executor takes no more work
     * @param drained whether, on top of that, all work is done and reported
     * @param onAccepted told the answer to every acknowledged beat
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

    /** Null before the first beat. Only the loop's thread touches it. */
    private Boolean registered;

    private volatile boolean left;

    /** @param interval as wished; never longer than the admins want it, unless they are of another kind */
    public RegistrationBeat(
            Admins admins, AdminContact contact, Surroundings surroundings, Duration interval, LongSupplier nanos) {
        this.admins = admins;
        this.contact = contact;
        this.surroundings = surroundings;
        this.interval = interval;
        this.nanos = nanos;
    }

    /** One pass of its loop; returns how long to rest before the next one. */
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

    /** Takes leave, so that nothing more is sent here; does nothing when an admin has accepted that already. */
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

    /** Returns how long after this one the next beat is due. */
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

    /** The reasons are part of the sentences: many logging set-ups do not show key/values. */
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
