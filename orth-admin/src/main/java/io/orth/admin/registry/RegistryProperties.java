package io.orth.admin.registry;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * When an executor counts as gone, and which addresses one may register.
 *
 * @param silentAfter silence after which an executor is probed, and called dead if the probe fails
 * @param outageGracePeriod how much longer that silence must last while more than half of at least three online executors miss
 *     their heartbeats at the same time
 * @param sweepEvery how often the silent ones are looked for
 * @param probeTimeout how long a probe waits
 * @param leftoverGrace how long a restarted executor may take to deliver what its predecessor left on disk
 * @param listGone how long executors that are gone stay in lists that do not ask for them
 * @param keepGone how long they are kept; timelines that are kept longer cannot name them
 * @param keepMetrics how long the metrics of each minute are kept
 * @param verifyInterval how often online executors are asked about work that they have had for more than twice as long
 * @param allowedNetworks networks (as CIDR) whose addresses may be registered by any executor of a group; an address outside of
 *     them must be the one the executor connects from
 */
@ConfigurationProperties("orth.registry")
public record RegistryProperties(
        @DefaultValue("15s") Duration silentAfter,
        @DefaultValue("60s") Duration outageGracePeriod,
        @DefaultValue("2s") Duration sweepEvery,
        @DefaultValue("2s") Duration probeTimeout,
        @DefaultValue("20s") Duration leftoverGrace,
        @DefaultValue("10m") Duration listGone,
        @DefaultValue("15d") Duration keepGone,
        @DefaultValue("24h") Duration keepMetrics,
        @DefaultValue("30s") Duration verifyInterval,
        @DefaultValue List<String> allowedNetworks) {

    public RegistryProperties {
        SettingRules.positive("orth.registry.silent-after", silentAfter);
        SettingRules.notNegative("orth.registry.outage-grace-period", outageGracePeriod);
        SettingRules.positive("orth.registry.sweep-every", sweepEvery);
        SettingRules.positive("orth.registry.probe-timeout", probeTimeout);
        SettingRules.positive("orth.registry.leftover-grace", leftoverGrace);
        SettingRules.notNegative("orth.registry.list-gone", listGone);
        SettingRules.positive("orth.registry.keep-gone", keepGone);
        SettingRules.positive("orth.registry.keep-metrics", keepMetrics);
        SettingRules.positive("orth.registry.verify-interval", verifyInterval);
        allowedNetworks = List.copyOf(allowedNetworks);
        for (String network : allowedNetworks) {
            try {
                new IpAddressMatcher(network);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "orth.registry.allowed-networks: '%s' is not a network like 10.0.0.0/8 (%s)"
                                .formatted(network, e.getMessage()));
            }
        }
    }
}
