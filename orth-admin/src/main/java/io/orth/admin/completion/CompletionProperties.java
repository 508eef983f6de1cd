package io.orth.admin.completion;

import io.orth.admin.kernel.SettingRules;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What follows runs.
 *
 * @param lateGrace how long the retry of a lost run or message waits at least, so that the run's own result may still come
 */
@ConfigurationProperties("orth.completion")
public record CompletionProperties(@DefaultValue("30s") Duration lateGrace) {

    public CompletionProperties {
        SettingRules.notNegative("orth.completion.late-grace", lateGrace);
    }
}
