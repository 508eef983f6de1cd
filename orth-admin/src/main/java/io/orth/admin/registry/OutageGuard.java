package io.orth.admin.registry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.registry.ExecutorRepository.Presence;
import io.orth.admin.registry.OutageListener.Change;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.HeartbeatRule;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guard that delays declaring executors dead while more than half of the online executors of one kind miss their heartbeats at the same
 * time. The executors themselves are then rarely the cause, and their work would move to the few that are left, or to none. For XXL-JOB
 * executors, a registration counts as a heartbeat.
 */
public final class OutageGuard {

    private static final Logger log = LoggerFactory.getLogger(OutageGuard.class);

    /** Minimum number of online executors: with fewer, half of them is no evidence of an outage. */
    private static final int MIN_EXECUTORS = 3;

    private final Executors executors;
    private final ExecutorKind kind;
    private final Duration timeout;
    private final Duration missingAfter;
    private final Duration gracePeriod;
    private final SystemLog systemLog;
    private final OutageListener listener;

    /** Number of executors that miss heartbeats; 0 if no outage is suspected. */
    private volatile int missing;

    /** The latest change of which the listener has not been notified; null if there is none. */
    private Notice unsent;

    /** When the outage was first suspected, by the database's clock. */
    private Instant since;

    private record Notice(Change change, String text) {}

    /**
     * Creates a guard. Executors are dead after {@code timeout} and miss heartbeats after {@code missingAfter}; an outage adds the grace
     * period.
     */
    private OutageGuard(
            Executors executors,
            ExecutorKind kind,
            Duration timeout,
            Duration missingAfter,
            Duration gracePeriod,
            SystemLog systemLog,
            OutageListener listener) {
        this.executors = executors;
        this.kind = kind;
        this.timeout = timeout;
        this.missingAfter = missingAfter;
        this.gracePeriod = gracePeriod;
        this.systemLog = systemLog;
        this.listener = listener;
    }

    /** Creates the guard for Orth executors. */
    static OutageGuard orth(
            Executors executors,
            HeartbeatRule rule,
            Duration gracePeriod,
            SystemLog systemLog,
            OutageListener listener) {
        return new OutageGuard(
                executors, ExecutorKind.ORTH, rule.timeout(), rule.doubtAfter(), gracePeriod, systemLog, listener);
    }

    /**
     * Creates the guard for XXL-JOB executors, which are declared dead after {@code silentAfter}. They register three times in that period,
     * so the last registrations of executors that fail together are up to a third of it apart.
     */
    public static OutageGuard xxlJob(
            Executors executors,
            Duration silentAfter,
            Duration gracePeriod,
            SystemLog systemLog,
            OutageListener listener) {
        Duration missingAfter = silentAfter.minus(silentAfter.dividedBy(3));
        return new OutageGuard(
                executors, ExecutorKind.XXL_JOB, silentAfter, missingAfter, gracePeriod, systemLog, listener);
    }

    OutageGuard register(MeterRegistry registry) {
        Gauge.builder("orth.executor.outage.suspected", this, guard -> guard.missing)
                .tag("kind", kind.name())
                .description("executors that miss their heartbeats while more than half do; 0 otherwise")
                .register(registry);
        return this;
    }

    /** Returns how long an executor must have been silent to be declared dead now. */
    public synchronized Duration requiredSilence() {
        // The last heartbeats of executors that fail at the same moment are up to an interval apart. Counting every
        // executor that missed one prevents the first silent one from being considered alone.
        Presence presence = executors.presence(kind, timeout, missingAfter);
        boolean outage = presence.silent() > 0
                && presence.online() >= MIN_EXECUTORS
                && 2 * presence.missing() > presence.online();
        note(outage, presence);
        notifyListener();
        return outage ? timeout.plus(gracePeriod) : timeout;
    }

    private void note(boolean outage, Presence presence) {
        boolean before = missing > 0;
        int dead = before && !outage ? executors.declaredDead(kind, since) : 0;
        missing = outage ? presence.missing() : 0;
        if (outage && !before) {
            since = presence.at();
            String what =
                    "%d of %d %s executors stopped sending heartbeats at the same time; none is declared dead before %d s of silence"
                            .formatted(
                                    presence.missing(),
                                    presence.online(),
                                    kind.label(),
                                    timeout.plus(gracePeriod).toSeconds());
            log.atError()
                    .addKeyValue("kind", kind)
                    .addKeyValue("missing", presence.missing())
                    .addKeyValue("online", presence.online())
                    .log("outage of executors suspected: {}", what);
            systemLog.publish(LogLevel.ERROR, what + ". Check the network between executors and admins.", null, null);
            unsent = new Notice(Change.SUSPECTED, what);
        } else if (before && dead > 0) {
            String what = "%d %s executors were declared dead during the suspected outage; their work is released"
                    .formatted(dead, kind.label());
            log.atWarn().addKeyValue("kind", kind).addKeyValue("dead", dead).log("outage of executors over: {}", what);
            systemLog.publish(LogLevel.WARN, what, null, null);
            unsent = new Notice(Change.DECLARED_DEAD, what);
        } else if (before && !outage) {
            String what = "at most half of the %s executors online miss heartbeats".formatted(kind.label());
            log.info("outage of executors over: {}", what);
            systemLog.publish(LogLevel.INFO, what, null, null);
            unsent = new Notice(Change.RESOLVED, what);
        }
    }

    /**
     * Notifies the listener. A failed notification is repeated at the next check and does not prevent executors from being declared dead.
     */
    private void notifyListener() {
        if (unsent == null) {
            return;
        }
        try {
            listener.changed(kind, unsent.change(), unsent.text());
            unsent = null;
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("kind", kind)
                    .setCause(e)
                    .log("the notification of an outage of executors failed; it is repeated soon");
        }
    }
}
