package io.orth.admin.systemlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LogLineTest {

    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00.123456789Z");

    private static LogLine line(String message) {
        return new LogLine("node", 1, NOW, LogLevel.INFO, message, null, null);
    }

    @Test
    void truncatesMessageToFourThousandCharacters() {
        assertThat(line("x".repeat(4_000)).message()).isEqualTo("x".repeat(4_000));
        assertThat(line("x".repeat(4_001)).message()).isEqualTo("x".repeat(3_999) + "…");
        assertThat(line("x".repeat(10_000_000)).message()).hasSize(4_000);
    }

    @Test
    void truncatesBetweenCharacters() {
        String message = line("x".repeat(3_998) + "😀😀").message();

        assertThat(message).isEqualTo("x".repeat(3_998) + "…");
    }

    static Stream<Arguments> unfit() {
        return Stream.of(
                arguments("a\nb", "a b"),
                arguments("a\tb", "a b"),
                arguments("a" + (char) 0 + "b", "a\uFFFDb"),
                arguments("a" + (char) 0x1b + "[31mb", "a\uFFFD[31mb"),
                arguments("a" + (char) 0x2028 + "b", "a b"),
                arguments("a" + (char) 0x202e + "b", "a\uFFFDb"),
                arguments("a" + (char) 0xd800 + "b", "a\uFFFDb"),
                arguments("aé中😀b", "aé中😀b"));
    }

    @ParameterizedTest
    @MethodSource("unfit")
    void replacesControlCharacters(String message, String clean) {
        assertThat(line(message).message()).isEqualTo(clean);
    }

    @Test
    void limitsNamesAndDropsBlankOnes() {
        LogLine line = new LogLine("node", 1, NOW, LogLevel.WARN, null, " ", "q".repeat(500));

        assertThat(line.message()).isEmpty();
        assertThat(line.workerId()).isNull();
        assertThat(line.queue()).hasSize(200);
    }

    @Test
    void truncatesTimeToDatabasePrecision() {
        assertThat(line("").at()).isEqualTo("2026-11-16T12:00:00.123456Z");
    }
}
