package io.orth.admin.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
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
                        Duration.ofSeconds(10),
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
                        "tries",
                        "2",
                        "retry-after",
                        "4s",
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
                        Duration.ofSeconds(4),
                        Duration.ofDays(1),
                        List.of("10.0.0.0/8", "fd00::/8"),
                        "https://orth.example",
                        new Mail("mail.example", 25, "u", "p", "orth@example.org", Encryption.TLS)));
    }

    @ParameterizedTest
    @CsvSource({
        "check-every, 0s",
        "send-timeout, -1s",
        "tries, 0",
        "tries, 101",
        "retry-after, 0s",
        "keep, 0s",
        "allowed-networks, everywhere",
        "mail.port, 0",
        "mail.port, 65536"
    })
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, AlarmProperties.class, key, value);
    }

    @Test
    void theWaitDoublesUpToTenMinutes() {
        AlarmProperties properties = Binding.bind(PREFIX, AlarmProperties.class);

        assertThat(List.of(1, 2, 3, 50).stream().map(properties::waitAfter))
                .containsExactly(
                        Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(40), Duration.ofMinutes(10));
    }
}
