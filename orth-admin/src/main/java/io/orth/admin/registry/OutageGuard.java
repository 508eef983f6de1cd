package io.orth.admin.registry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orth.admin.registry.ExecutorRepository.Presence;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.HeartbeatRule;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays the declaration of dead executors while more than half of those online miss their heartbeats at the same time. The cause is
 * then rarely the executors, and their work would be given to the few that are left, or to none.
 */
final class OutageGuard {

    private static final Logger log = LoggerFactory.getLogger(OutageGuard.class);

    /** With fewer executors online, half of them says nothing. */
    private static final int MIN_EXECUTORS = 3;

    private final Executors executors;
    private final HeartbeatRule rule;
    private final Duration gracePeriod;
    private final SystemLog systemLog;
    private final OutageListener listener;

    /** How many executors miss their heartbeats; 0 while no outage is suspected. Written by the sweeper's thread only. */
    private volatile int missing;

    /**
     * @param gracePeriod how much longer the silence must last during a suspected outage
     */
    OutageGuard(
            Executors executors,
            HeartbeatRule rule,
            Duration gracePeriod,
            SystemLog systemLog,
            OutageListener listener) {
        this.executors = executors;
        this.rule = rule;
        this.gracePeriod = gracePeriod;
        this.systemLog = systemLog;
        this.listener = listener;
    }

    OutageGuard register(MeterRegistry registry) {
        Gauge.builder("orth.executor.outage.suspected", this, guard -> guard.missing)
                .description("executors that miss their heartbeats while more than half do; 0 otherwise")
                .register(registry);
        return this;
    }

    /** How long an executor must have been silent now to be declared dead. */
    Duration requiredSilence() {
        // Heartbeats of one moment's outage end up to an interval apart: those that missed one are counted, so that the
        // first to become silent is not judged alone.
        Presence presence = executors.presence(ExecutorKind.ORTH, rule.timeout(), rule.doubtAfter());
        boolean outage = presence.silent() > 0
                && presence.online() >= MIN_EXECUTORS
                && 2 * presence.missing() > presence.online();
        note(outage, presence);
        return outage ? rule.timeout().plus(gracePeriod) : rule.timeout();
    }

    private void note(boolean outage, Presence presence) {
        boolean before = missing > 0;
        missing = outage ? presence.missing() : 0;
        if (outage && !before) {
            String what =
                    "%d of %d executors stopped sending heartbeats at the same time; none is declared dead before %d s of silence"
                            .formatted(
                                    presence.missing(),
                                    presence.online(),
                                    rule.timeout().plus(gracePeriod).toSeconds());
            log.atError()
                    .addKeyValue("missing", presence.missing())
                    .addKeyValue("online", presence.online())
                    .log("outage of executors suspected: {}", what);
            systemLog.publish(LogLevel.ERROR, what + ". Check the network between executors and admins.", null, null);
            listener.changed(true, what);
        } else if (!outage && before) {
            String what = "at most half of the executors online miss heartbeats";
            log.info("outage of executors over: {}", what);
            systemLog.publish(LogLevel.INFO, what, null, null);
            listener.changed(false, what);
        }
    }
}
