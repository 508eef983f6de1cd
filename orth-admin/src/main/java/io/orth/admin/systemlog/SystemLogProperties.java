package io.orth.admin.systemlog;

import io.orth.admin.kernel.SettingRules;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the system log.
 *
 * @param keep how long lines can be searched
 * @param spillDir where lines are stored while the database is unavailable; a relative path is resolved against the data directory
 * @param spillSize maximum size of the lines stored there; when it is reached, further lines are dropped and counted
 */
@ConfigurationProperties("orth.system-log")
public record SystemLogProperties(
        @DefaultValue("30d") Duration keep,
        @DefaultValue("system-log") Path spillDir,
        @DefaultValue("64MB") DataSize spillSize) {

    private static final long SMALLEST_KILOBYTES = 64;

    public SystemLogProperties {
        SettingRules.positive("orth.system-log.keep", keep);
        if (spillSize.toKilobytes() < SMALLEST_KILOBYTES) {
            throw new IllegalArgumentException("orth.system-log.spill-size must be at least 64KB, got " + spillSize);
        }
    }
}
