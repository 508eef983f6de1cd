package io.orth.admin.systemlog;

import io.orth.admin.kernel.SettingRules;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How the system log is kept.
 *
 * @param keep how long its lines can be searched
 * @param spillDir where lines are kept while the database cannot take them; a relative path is taken from the data directory
 * @param spillSize how much room they may take there; when it is full, further ones are dropped and counted
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
