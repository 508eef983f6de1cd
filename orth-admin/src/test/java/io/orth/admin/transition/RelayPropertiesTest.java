package io.orth.admin.transition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.Binding;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.unit.DataSize;

class RelayPropertiesTest {

    private static final String PREFIX = "orth.transitions";
    private static final String SECRET = "0123456789abcdef";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, RelayProperties.class))
                .isEqualTo(new RelayProperties(
                        Duration.ofMillis(200),
                        Duration.ofSeconds(10),
                        10_000,
                        Duration.ofHours(1),
                        Duration.ofDays(1),
                        10_000_000,
                        new RelayProperties.Delays(Duration.ofMillis(500), 2, Duration.ofSeconds(30), 0),
                        false,
                        new RelayProperties.File(
                                true, Path.of("transitions/transitions.jsonl"), DataSize.ofMegabytes(64), 8),
                        Map.of()));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        RelayProperties.class,
                        "look-every",
                        "1s",
                        "tidy-every",
                        "2s",
                        "prune-batch",
                        "3",
                        "replay",
                        "4m",
                        "hold-age",
                        "5h",
                        "hold-changes",
                        "6",
                        "backoff.initial-delay",
                        "1s",
                        "backoff.multiplier",
                        "3",
                        "backoff.max-delay",
                        "7s",
                        "backoff.jitter",
                        "0.1",
                        "stdout",
                        "true",
                        "file.enabled",
                        "false",
                        "file.path",
                        "/var/log/orth.jsonl",
                        "file.max-size",
                        "8MB",
                        "file.files",
                        "9",
                        "webhook.crm.url",
                        "https://crm.example/orth",
                        "webhook.crm.secret",
                        SECRET,
                        "webhook.crm.timeout",
                        "10s",
                        "webhook.data-lake-2.url",
                        "http://10.0.0.7:8080/in?key=1",
                        "webhook.data-lake-2.secret",
                        SECRET + SECRET))
                .isEqualTo(new RelayProperties(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        3,
                        Duration.ofMinutes(4),
                        Duration.ofHours(5),
                        6,
                        new RelayProperties.Delays(Duration.ofSeconds(1), 3, Duration.ofSeconds(7), 0.1),
                        true,
                        new RelayProperties.File(false, Path.of("/var/log/orth.jsonl"), DataSize.ofMegabytes(8), 9),
                        Map.of(
                                "crm",
                                new RelayProperties.Webhook(
                                        URI.create("https://crm.example/orth"), SECRET, Duration.ofSeconds(10)),
                                "data-lake-2",
                                new RelayProperties.Webhook(
                                        URI.create("http://10.0.0.7:8080/in?key=1"),
                                        SECRET + SECRET,
                                        Duration.ofSeconds(10)))));
    }

    @ParameterizedTest
    @CsvSource({
        "look-every, 0s",
        "tidy-every, -1s",
        "prune-batch, 0",
        "prune-batch, 100001",
        "replay, 0s",
        "hold-age, 0s",
        "hold-changes, 0",
        "backoff.initial-delay, 0s",
        "backoff.max-delay, 1ms",
        "backoff.multiplier, 0",
        "backoff.jitter, 1.5",
        "file.max-size, 63KB",
        "file.files, 1",
        "file.files, 1001"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, RelayProperties.class, key, value);
    }

    @ParameterizedTest
    @CsvSource({
        "url, ftp://crm.example/, 0123456789abcdef, 10s",
        "url, crm.example, 0123456789abcdef, 10s",
        "url, http:///nowhere, 0123456789abcdef, 10s",
        "url, , 0123456789abcdef, 10s",
        "secret, http://crm.example, fifteen letters, 10s",
        "secret, http://crm.example, , 10s",
        "timeout, http://crm.example, 0123456789abcdef, 0s",
        "timeout, http://crm.example, 0123456789abcdef, 21s"
    })
    void badWebhookValueNamesItsKey(String key, String url, String secret, String timeout) {
        assertThatThrownBy(() -> Binding.bind(
                        PREFIX,
                        RelayProperties.class,
                        "webhook.crm.url",
                        url == null ? "" : url,
                        "webhook.crm.secret",
                        secret == null ? "" : secret,
                        "webhook.crm.timeout",
                        timeout))
                .rootCause()
                .hasMessageContaining("orth.transitions.webhook.crm." + key);
    }

    @Test
    @Tag("must-first")
    void webhookTimeoutMayBeTwentySeconds() {
        assertThat(Binding.bind(
                                PREFIX,
                                RelayProperties.class,
                                "webhook.crm.url",
                                "https://crm.example/orth",
                                "webhook.crm.secret",
                                SECRET,
                                "webhook.crm.timeout",
                                "20s")
                        .webhook()
                        .get("crm")
                        .timeout())
                .isEqualTo(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @CsvSource({"CRM", "crm_1", "'[a/b]'", "abcdefghijklmnopqrstuvwxyz0123456789abcdef"})
    void webhookNameMustFitLabels(String name) {
        assertThatThrownBy(() -> Binding.bind(
                        PREFIX,
                        RelayProperties.class,
                        "webhook.%s.url".formatted(name),
                        "http://crm.example",
                        "webhook.%s.secret".formatted(name),
                        SECRET))
                .rootCause()
                .hasMessageContaining("small letters, digits and dashes");
    }

    @Test
    void toStringOmitsSecret() {
        RelayProperties properties = Binding.bind(
                PREFIX,
                RelayProperties.class,
                "webhook.crm.url",
                "https://crm.example/orth",
                "webhook.crm.secret",
                SECRET);

        assertThat(properties.toString()).contains("https://crm.example/orth").doesNotContain(SECRET);
    }
}
