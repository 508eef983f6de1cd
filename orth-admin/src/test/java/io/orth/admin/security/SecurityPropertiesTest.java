package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

class SecurityPropertiesTest {

    @Test
    void hasDefaults() {
        assertThat(SecurityFeature.defaults())
                .isEqualTo(new SecurityProperties(
                        Duration.ofMinutes(30),
                        Duration.ofHours(12),
                        false,
                        List.of(),
                        12,
                        5,
                        20,
                        Duration.ofMinutes(5),
                        DataSize.ofMegabytes(3),
                        DataSize.ofMegabytes(16),
                        DataSize.ofKilobytes(16),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5)));
    }

    @Test
    void readsEveryKey() {
        SecurityProperties settings = SecurityFeature.bind(Map.ofEntries(
                Map.entry("orth.security.session-idle", "10m"),
                Map.entry("orth.security.session-lifetime", "8h"),
                Map.entry("orth.security.secure-cookies", "true"),
                Map.entry("orth.security.origins", "https://orth.example,https://orth.example:8443"),
                Map.entry("orth.security.password-strength", "11"),
                Map.entry("orth.security.login-tries", "3"),
                Map.entry("orth.security.login-tries-per-address", "9"),
                Map.entry("orth.security.login-longest-wait", "1m"),
                Map.entry("orth.security.max-body", "2MB"),
                Map.entry("orth.security.max-executor-body", "8MB"),
                Map.entry("orth.security.max-anonymous-body-size", "4KB"),
                Map.entry("orth.security.body-timeout", "20s"),
                Map.entry("orth.security.anonymous-body-timeout", "2s")));

        assertThat(settings)
                .isEqualTo(new SecurityProperties(
                        Duration.ofMinutes(10),
                        Duration.ofHours(8),
                        true,
                        List.of("https://orth.example", "https://orth.example:8443"),
                        11,
                        3,
                        9,
                        Duration.ofMinutes(1),
                        DataSize.ofMegabytes(2),
                        DataSize.ofMegabytes(8),
                        DataSize.ofKilobytes(4),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(2)));
    }

    @ParameterizedTest
    @CsvSource({
        "session-idle, 1m",
        "session-lifetime, 29m",
        "secure-cookies, perhaps",
        "origins, orth.example",
        "origins, https://orth.example/",
        "origins, https://user@orth.example",
        "origins, null",
        "password-strength, 9",
        "password-strength, 17",
        "login-tries, 0",
        "login-tries-per-address, 0",
        "login-longest-wait, 0s",
        "max-body, 1B",
        "max-body, 65MB",
        "max-anonymous-body-size, 0B",
        "body-timeout, 0s",
        "body-timeout, 11m",
        "anonymous-body-timeout, 99ms",
        "max-executor-body, 0B"
    })
    void namesTheKeyOfABadValue(String key, String value) {
        assertThatExceptionOfType(BindException.class)
                .isThrownBy(() -> SecurityFeature.bind(Map.of("orth.security." + key, value)))
                .satisfies(e -> assertThat(messagesOf(e)).contains("orth.security." + key));
    }

    @Test
    void readsPathOfCredentialsFile() {
        assertThat(firstStart(Map.of()).file()).isEmpty();
        assertThat(firstStart(Map.of("orth.credentials-file", "/data/credentials.json"))
                        .file())
                .contains(Path.of("/data/credentials.json"));
    }

    private static FirstStartProperties firstStart(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("orth", FirstStartProperties.class);
    }

    private static String messagesOf(Throwable failure) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }
}
