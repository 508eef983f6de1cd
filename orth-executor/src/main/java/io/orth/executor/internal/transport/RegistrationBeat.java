package io.orth.executor.internal.transport;

import io.orth.executor.internal.Duty;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the admins with every beat that this executor is there. Says once that none can be reached, and once that one can. */
public final class RegistrationBeat implements Duty {

    private static final Logger log = LoggerFactory.getLogger(RegistrationBeat.class);

    private final Admins admins;
    private final Supplier<Registration> registration;
    private final Duration interval;
    private final Runnable onAccepted;

    /** Null before the first beat. Only the loop's thread touches it. */
    private Boolean registered;

    public RegistrationBeat(
            Admins admins, Supplier<Registration> registration, Duration interval, Runnable onAccepted) {
        this.admins = admins;
        this.registration = registration;
        this.interval = interval;
        this.onAccepted = onAccepted;
    }

    @Override
    public Duration run() throws InterruptedException {
        Registration current = registration.get();
        Outcome outcome = admins.post(AdminPaths.REGISTRY, Json.write(current));
        boolean accepted = outcome instanceof Outcome.Accepted;
        if (registered == null || registered != accepted) {
            registered = accepted;
            tell(current, outcome);
        }
        if (accepted) {
            onAccepted.run();
        }
        return interval;
    }

    /** Takes leave, so that nothing more is sent here. */
    public void leave() throws InterruptedException {
        admins.post(AdminPaths.REGISTRY_REMOVE, Json.write(registration.get()));
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
