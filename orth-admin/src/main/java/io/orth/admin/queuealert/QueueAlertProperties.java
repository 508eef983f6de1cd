package io.orth.admin.queuealert;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How alerts on queues are found and kept.
 *
 * @param checkEvery how often the rules are held against how queues do
 * @param keep how long alerts that are over are kept
 */
@ConfigurationProperties("orth.queue-alerts")
public record QueueAlertProperties(
        @DefaultValue("5s") Duration checkEvery,
        @DefaultValue("30d") Duration keep) {

    public QueueAlertProperties {
        SettingRules.positive("orth.queue-alerts.check-every", checkEvery);
        SettingRules.positive("orth.queue-alerts.keep", keep);
    }
}
