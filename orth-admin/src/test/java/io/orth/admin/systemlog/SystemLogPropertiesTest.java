package io.orth.admin.systemlog;

import static io.orth.admin.Binding.assertRefused;
import static io.orth.admin.Binding.bind;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.unit.DataSize;

class SystemLogPropertiesTest {

    private static final String PREFIX = "orth.system-log";

    @Test
    void hasTheseDefaults() {
        assertThat(bind(PREFIX, SystemLogProperties.class))
                .isEqualTo(
                        new SystemLogProperties(Duration.ofDays(30), Path.of("system-log"), DataSize.ofMegabytes(64)));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(bind(
                        PREFIX,
                        SystemLogProperties.class,
                        "keep",
                        "7d",
                        "spill-dir",
                        "/var/spool/orth",
                        "spill-size",
                        "1MB"))
                .isEqualTo(new SystemLogProperties(
                        Duration.ofDays(7), Path.of("/var/spool/orth"), DataSize.ofMegabytes(1)));
    }

    @ParameterizedTest
    @CsvSource({"keep, 0s", "keep, -1d", "spill-size, 1KB"})
    void aBadValueNamesItsKey(String key, String value) {
        assertRefused(PREFIX, SystemLogProperties.class, key, value);
    }
}
