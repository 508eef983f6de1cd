package io.orth.admin.deadletter;

import io.orth.admin.kernel.SettingRules;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Settings of dead letters. {@code retriesPerSecond} limits each bulk operation, whatever the number of admins. */
@ConfigurationProperties("orth.dead-letters")
public record DeadLetterProperties(@DefaultValue("2000") int retriesPerSecond) {

    public DeadLetterProperties {
        SettingRules.between("orth.dead-letters.retries-per-second", retriesPerSecond, 1, 1_000_000);
    }
}
