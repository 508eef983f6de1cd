package io.orth.admin.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import io.orth.admin.alarm.AlarmProperties.Delays;
import io.orth.admin.alarm.AlarmProperties.Encryption;
import io.orth.admin.alarm.AlarmProperties.Mail;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlarmPropertiesTest {

    private static final String PREFIX = "orth.alarm";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, AlarmProperties.class))
                .isEqualTo(new AlarmProperties(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(10),
                        5,
                        new Delays(Duration.ofSeconds(10), 2, Duration.ofMinutes(10), 0),
                        Duration.ofDays(30),
                        List.of(),
                        "",
                        new Mail("", 587, "", "", "", Encryption.STARTTLS)));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        AlarmProperties.class,
                        "check-every",
                        "1s",
                        "send-timeout",
                        "3s",
                        "max-attempts",
                        "2",
                        "backoff.initial-delay",
                        "4s",
                        "backoff.multiplier",
                        "3",
                        "backoff.max-delay",
                        "1m",
                        "backoff.jitter",
                        "0.2",
                        "keep",
                        "1d",
                        "allowed-networks",
                        "10.0.0.0/8,fd00::/8",
                        "console-url",
                        "https://orth.example",
                        "mail.host",
                        "mail.example",
                        "mail.port",
                        "25",
                        "mail.user",
                        "u",
                        "mail.password",
                        "p",
                        "mail.from",
                        "orth@example.org",
                        "mail.encryption",
                        "tls"))
                .isEqualTo(new AlarmProperties(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(3),
                        2,
                        new Delays(Duration.ofSeconds(4), 3, Duration.ofMinutes(1), 0.2),
                        Duration.ofDays(1),
                        List.of("10.0.0.0/8", "fd00::/8"),
                        "https://orth.example",
                        new Mail("mail.example", 25, "u", "p", "orth@example.org", Encryption.TLS)));
    }

    @ParameterizedTest
    @CsvSource({
        "check-every, 0s",
        "send-timeout, -1s",
        "max-attempts, 0",
        "max-attempts, 101",
        "backoff.initial-delay, 0s",
        "backoff.initial-delay, -1s",
        "backoff.multiplier, 0.5",
        "backoff.multiplier, NaN",
        "backoff.max-delay, 1s",
        "backoff.max-delay, 31d",
        "backoff.jitter, -0.1",
        "backoff.jitter, 2",
        "keep, 0s",
        "allowed-networks, everywhere",
        "mail.port, 0",
        "mail.port, 65536"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, AlarmProperties.class, key, value);
    }
}
