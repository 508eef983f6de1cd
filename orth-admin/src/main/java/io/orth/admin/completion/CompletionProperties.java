package io.orth.admin.completion;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of follow-ups.
 *
 * @param lateGrace minimum delay before a lost run or message is retried, so that the late result may still arrive
 */
@ConfigurationProperties("orth.completion")
public record CompletionProperties(@DefaultValue("30s") Duration lateGrace) {

    public CompletionProperties {
        SettingRules.notNegative("orth.completion.late-grace", lateGrace);
    }
}
