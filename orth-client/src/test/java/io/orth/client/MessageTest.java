package io.orth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepted and rejected messages, before anything is sent. */
@Tag("must-queues")
class MessageTest {

    private static final UUID ID = UUID.fromString("00000000-0000-0001-0000-000000000002");

    private enum Size {
        SMALL
    }

    private record Inner(double price, Optional<String> note) {}

    private record Outer(
            String text,
            int number,
            boolean flag,
            Size size,
            Inner inner,
            List<Inner> more,
            Map<String, Integer> map) {}

    private record Times(LocalDate day, Duration pause, UUID id, BigDecimal amount, String nothing) {}

    private record Endless(Object self) {}

    @Test
    void recordsRoundTripThroughJson() {
        assertThat(PayloadJson.write(new Outer(
                        "ä\"",
                        1,
                        true,
                        Size.SMALL,
                        new Inner(1.5, Optional.of("n")),
                        List.of(new Inner(2, Optional.empty())),
                        Map.of("a", 1))))
                .isEqualTo("{\"text\":\"ä\\\"\",\"number\":1,\"flag\":true,\"size\":\"SMALL\","
                        + "\"inner\":{\"price\":1.5,\"note\":\"n\"},\"more\":[{\"price\":2.0}],\"map\":{\"a\":1}}");
        assertThat(PayloadJson.write(new Times(
                        LocalDate.parse("2030-01-31"), Duration.ofMinutes(15), ID, new BigDecimal("1.10"), null)))
                .isEqualTo(
                        "{\"day\":\"2030-01-31\",\"pause\":\"PT15M\",\"id\":\"00000000-0000-0001-0000-000000000002\","
                                + "\"amount\":1.10}");
        assertThat(PayloadJson.write(List.of(1, 2))).isEqualTo("[1,2]");
        assertThat(PayloadJson.write(Arrays.asList("a", null))).isEqualTo("[\"a\",null]");
    }

    @Test
    void rejectsNonJsonPayloadByPath() {
        assertThatThrownBy(() -> PayloadJson.write(Map.of("a", List.of(new Object()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("payload.a[0] is a java.lang.Object");
        assertThatThrownBy(() -> PayloadJson.write(new Inner(Double.NaN, Optional.empty())))
                .hasMessageStartingWith("payload.price is NaN");
        Map<String, Object> circle = new HashMap<>();
        circle.put("self", new Endless(circle));
        assertThatThrownBy(() -> PayloadJson.write(circle)).hasMessageEndingWith("is nested too deeply");
    }

    static Stream<Runnable> rejectsInvalidMessage() {
        Message message = Message.of("hello");
        return Stream.of(
                () -> message.delay(Duration.ofSeconds(-1)),
                () -> message.delay(Duration.ofDays(367)),
                () -> message.dueAt(Instant.parse("1969-01-01T00:00:00Z")),
                () -> message.uniqueKey(""),
                () -> message.uniqueKey("a".repeat(201)),
                () -> message.uniqueKey("u", Duration.ZERO),
                () -> message.groupKey("a\nb"),
                () -> message.maxAttempts(0),
                () -> message.maxAttempts(101),
                () -> message.traceId(" "),
                () -> message.metadata("name", "a".repeat(1_001)),
                () -> message.backoff(new Backoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(1))),
                () -> message.backoff(new Backoff(Duration.ofSeconds(2), 0.5, Duration.ofHours(1))),
                () -> Message.of("a\0b").toBody(PayloadJson::write),
                () -> Message.of("ä".repeat(2_100_000)).toBody(PayloadJson::write));
    }

    @ParameterizedTest
    @MethodSource
    void rejectsInvalidMessage(Runnable message) {
        assertThatThrownBy(message::run).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void messagesAreImmutable() {
        Message plain = Message.of("hello");

        plain.lane(Lane.LOW).delay(Duration.ofSeconds(1)).metadata("a", "b").uniqueKey("u");

        assertThat(plain.toBody(PayloadJson::write)).isEqualTo(Map.of("payload", "hello"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "admin", "ftp://admin", "http://", "http://a b", "http://admin/?x=1"})
    void rejectsInvalidAddress(String address) {
        assertThatThrownBy(() -> OrthClient.builder().admins(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("admins must be like");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\r\nX: y"})
    void rejectsInvalidToken(String token) {
        assertThatThrownBy(() ->
                        OrthClient.builder().admins("http://a").token(token).build())
                .hasMessage("token must be an API token");
    }
}
