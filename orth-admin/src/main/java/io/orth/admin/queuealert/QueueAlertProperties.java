package io.orth.admin.queuealert;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of queue alerts.
 *
 * @param checkEvery interval at which the rules are evaluated
 * @param keep retention of finished alerts
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
