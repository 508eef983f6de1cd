package io.orth.admin.registry;

import io.orth.admin.kernel.NodeLease;
import io.orth.admin.kernel.SettingRules;
import io.orth.protocol.HeartbeatRule;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for detecting dead executors, and for the addresses that executors may register.
 *
 * @param heartbeatInterval how often executors send a heartbeat; part of the reply to each heartbeat
 * @param heartbeatTimeout time without a heartbeat after which an executor starts nothing, is probed, and is declared dead if the probe
 *     fails; three intervals unless set
 * @param outageGracePeriod how much longer that silence must last while more than half of at least three online executors of one kind miss
 *     their heartbeats at the same time
 * @param sweepEvery how often silent executors are looked for
 * @param probeTimeout timeout of a probe
 * @param leftoverGrace how long a restarted executor may take to deliver the results that its predecessor left on disk; five seconds more
 *     than the heartbeat timeout unless set
 * @param deregistrationGracePeriod how long results of a deregistered executor are awaited before its runs, messages and tasks are lost
 * @param listGone how long offline and dead executors stay in lists by default
 * @param keepGone how long offline and dead executors are kept; timelines that are kept longer cannot name them
 * @param keepMetrics how long per-minute metrics are kept
 * @param verifyInterval how often online executors are asked about work that they have had for more than twice as long
 * @param verifyTimeout how long an online executor that cannot be asked about its work keeps it before the work is lost
 * @param allowedNetworks networks (CIDR) whose addresses may be registered by any executor of a group; an address outside of them must be
 *     the one the executor connects from
 */
@ConfigurationProperties("orth.registry")
public record RegistryProperties(
        @DefaultValue("5s") Duration heartbeatInterval,
        Duration heartbeatTimeout,
        @DefaultValue("60s") Duration outageGracePeriod,
        @DefaultValue("2s") Duration sweepEvery,
        @DefaultValue("2s") Duration probeTimeout,
        Duration leftoverGrace,
        @DefaultValue("20s") Duration deregistrationGracePeriod,
        @DefaultValue("10m") Duration listGone,
        @DefaultValue("15d") Duration keepGone,
        @DefaultValue("24h") Duration keepMetrics,
        @DefaultValue("30s") Duration verifyInterval,
        @DefaultValue("7d") Duration verifyTimeout,
        @DefaultValue List<String> allowedNetworks) {

    /** Minimum slack: an admin detects by the renewals of its own lease whether it reaches the database. */
    private static final Duration MIN_SLACK = NodeLease.RENEW_EVERY.multipliedBy(2);

    private static final Duration LEFTOVERS_TAKE = Duration.ofSeconds(5);

    public RegistryProperties {
        SettingRules.positive("orth.registry.heartbeat-interval", heartbeatInterval);
        heartbeatTimeout = ruleOf(heartbeatInterval, heartbeatTimeout).timeout();
        SettingRules.notNegative("orth.registry.outage-grace-period", outageGracePeriod);
        SettingRules.positive("orth.registry.sweep-every", sweepEvery);
        if (sweepEvery.compareTo(heartbeatTimeout) > 0) {
            throw new IllegalArgumentException(
                    "orth.registry.sweep-every (%s) must not be longer than orth.registry.heartbeat-timeout (%s)"
                            .formatted(sweepEvery, heartbeatTimeout));
        }
        SettingRules.positive("orth.registry.probe-timeout", probeTimeout);
        leftoverGrace = leftoverGrace == null ? heartbeatTimeout.plus(LEFTOVERS_TAKE) : leftoverGrace;
        if (leftoverGrace.compareTo(heartbeatTimeout) < 0) {
            throw new IllegalArgumentException(
                    "orth.registry.leftover-grace (%s) must not be shorter than orth.registry.heartbeat-timeout (%s): until then the predecessor may start work"
                            .formatted(leftoverGrace, heartbeatTimeout));
        }
        SettingRules.positive("orth.registry.deregistration-grace-period", deregistrationGracePeriod);
        SettingRules.notNegative("orth.registry.list-gone", listGone);
        SettingRules.positive("orth.registry.keep-gone", keepGone);
        SettingRules.positive("orth.registry.keep-metrics", keepMetrics);
        SettingRules.positive("orth.registry.verify-interval", verifyInterval);
        if (verifyTimeout.compareTo(verifyInterval.multipliedBy(2)) <= 0) {
            throw new IllegalArgumentException(
                    "orth.registry.verify-timeout (%s) must be longer than two intervals of orth.registry.verify-interval (%s): before that, executors are not asked"
                            .formatted(verifyTimeout, verifyInterval));
        }
        allowedNetworks = SettingRules.networks("orth.registry.allowed-networks", allowedNetworks);
    }

    /** Returns the rule from which all other liveness durations are derived. */
    public HeartbeatRule heartbeats() {
        return new HeartbeatRule(heartbeatInterval, heartbeatTimeout);
    }

    private static HeartbeatRule ruleOf(Duration interval, Duration timeout) {
        HeartbeatRule rule;
        try {
            rule = timeout == null ? HeartbeatRule.of(interval) : new HeartbeatRule(interval, timeout);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "orth.registry.heartbeat-interval (%s) and orth.registry.heartbeat-timeout (%s) do not fit: %s"
                            .formatted(interval, timeout == null ? "three intervals" : timeout, e.getMessage()));
        }
        if (rule.slack().compareTo(MIN_SLACK) < 0) {
            throw new IllegalArgumentException(
                    "orth.registry.heartbeat-timeout (%s) must be at least %s longer than orth.registry.heartbeat-interval (%s): an admin needs that time to notice that it could not record heartbeats"
                            .formatted(rule.timeout(), MIN_SLACK, interval));
        }
        return rule;
    }
}
