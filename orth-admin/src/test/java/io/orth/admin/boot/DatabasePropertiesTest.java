package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabasePropertiesTest {

    private static final String PREFIX = "orth.database";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, DatabaseProperties.class))
                .isEqualTo(new DatabaseProperties("", "", "", "orth", null, false, "", 20, Duration.ofSeconds(5)));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        DatabaseProperties.class,
                        "url",
                        "jdbc:postgresql://db/orth",
                        "user",
                        "u",
                        "password",
                        "p",
                        "schema",
                        "jobs",
                        "programs-dir",
                        "/programs",
                        "pooler",
                        "true",
                        "listen-url",
                        "jdbc:postgresql://primary/orth",
                        "pool-size",
                        "4",
                        "connect-timeout",
                        "250ms"))
                .isEqualTo(new DatabaseProperties(
                        "jdbc:postgresql://db/orth",
                        "u",
                        "p",
                        "jobs",
                        Path.of("/programs"),
                        true,
                        "jdbc:postgresql://primary/orth",
                        4,
                        Duration.ofMillis(250)));
    }

    @ParameterizedTest
    @CsvSource({
        "url, jdbc:mysql://db/orth",
        "url, postgresql://db/orth",
        "pooler, true",
        "listen-url, postgresql://db/orth",
        "schema, ''",
        "schema, Orth",
        "schema, a b",
        "schema, pg_orth",
        "pool-size, 1",
        "pool-size, 3",
        "connect-timeout, 249ms"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, DatabaseProperties.class, key, value);
    }

    @Test
    void thePasswordDoesNotShow() {
        assertThat(new DatabaseProperties(
                        "jdbc:postgresql://db/orth", "u", "secret", "orth", null, false, "", 4, Duration.ofSeconds(1)))
                .hasToString("jdbc:postgresql://db/orth");
    }
}
