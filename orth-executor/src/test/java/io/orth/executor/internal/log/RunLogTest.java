package io.orth.executor.internal.log;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2030-01-01T12:00:00.007Z"), ZoneId.of("Asia/Tokyo"));

    @TempDir
    Path directory;

    @Test
    void theFileAppearsWithTheFirstLine() {
        RunLogFiles files = files(1_000_000);
        try (RunLog log = files.open(5, TRIGGERED_AT)) {
            assertThat(directory).isEmptyDirectory();

            log.line("héllo");

            assertThat(directory.resolve("2030-01-01/5.log"))
                    .hasContent("2030-01-01 21:00:00.007 [%s] héllo\n"
                            .formatted(Thread.currentThread().getName()));
        }
    }

    @Test
    void theDayIsTheExecutorsOwn() {
        Path late = files(1_000).pathOf(1, Instant.parse("2030-01-01T15:00:00Z").toEpochMilli());

        assertThat(late).isEqualTo(directory.resolve("2030-01-02/1.log"));
    }

    @Test
    void aThreadThatOutlivesItsRunMayStillWrite() {
        RunLog log = files(1_000_000).open(5, TRIGGERED_AT);
        log.line("one");
        log.close();

        log.line("two");

        assertThat(directory.resolve("2030-01-01/5.log"))
                .content()
                .contains("one\n")
                .contains("two\n");
    }

    @Test
    void replacesInvalidCharacters() {
        try (RunLog log = files(1_000_000).open(5, TRIGGERED_AT)) {
            log.line("a\0b\uD800c\uDC00d\uD83D\uDE00");
        }

        assertThat(directory.resolve("2030-01-01/5.log"))
                .content(StandardCharsets.UTF_8)
                .contains("a\uFFFDb\uFFFDc\uFFFDd\uD83D\uDE00");
    }

    @Test
    void unwritableLogReportsMissingLinesLater() throws IOException {
        Path inTheWay =
                Files.writeString(directory.resolve("2030-01-01"), "a file where the day's directory should be");

        try (RunLog log = files(1_000_000).open(5, TRIGGERED_AT)) {
            log.line("one");
            log.line("two");
            Files.delete(inTheWay);
            log.line("three");
            log.line("four");
        }

        assertThat(Files.readAllLines(directory.resolve("2030-01-01/5.log")))
                .hasSize(3)
                .first()
                .isEqualTo("[2 lines are missing here: they could not be written]");
    }

    @Test
    void piecesOfAnySizeAddUpToTheText() throws IOException {
        String text = "a\u00e4\u20ac\uD83D\uDE00\n".repeat(20);
        write(text);
        Random random = new Random(7);

        for (int round = 0; round < 200; round++) {
            StringBuilder read = new StringBuilder();
            LogRange piece = read(0, 1 + random.nextInt(9));
            while (piece.to() < piece.size()) {
                read.append(piece.text());
                piece = read(piece.to(), 1 + random.nextInt(9));
            }
            assertThat(read.append(piece.text()).toString()).isEqualTo(text);
        }
    }

    @Test
    void rangeInsideCharacterStartsAtTheNext() throws IOException {
        write("\uD83D\uDE00x");

        for (int from = 1; from <= 3; from++) {
            assertThat(read(from, 100)).isEqualTo(new LogRange(true, 4, 5, 5, "x"));
        }
    }

    @Test
    void leavesIncompleteCharacterForLater() throws IOException {
        Path file = write("x");
        Files.write(file, new byte[] {'x', (byte) 0xF0, (byte) 0x9F});

        assertThat(read(0, 100)).isEqualTo(new LogRange(true, 0, 1, 3, "x"));
    }

    @Test
    void aPieceIsNeverLargerThanAMegabyte() throws IOException {
        write("x".repeat(3_000_000));

        assertThat(read(0, Integer.MAX_VALUE).text()).hasSize(1024 * 1024);
        assertThat(lines(1).text()).isEmpty();
    }

    @Test
    void aHugeLineIsCutAndCounted() throws IOException {
        write("x".repeat(3_000_000) + "\nnext\n");

        assertThat(lines(1).text()).hasSize(1024 * 1024 + 1).endsWith("x\n");
        assertThat(lines(1).toLine()).isEqualTo(1);
        assertThat(lines(2).text()).isEqualTo("next\n");
    }

    @Test
    void aRangeBeyondTheEndIsEmpty() throws IOException {
        write("abc\n");

        assertThat(read(Long.MAX_VALUE, 100)).isEqualTo(new LogRange(true, 4, 4, 4, ""));
        assertThat(read(0, -5).text()).isEqualTo("abc\n");
        assertThatThrownBy(() -> read(-1, 100)).isInstanceOf(WireFormatException.class);
    }

    @Test
    void aRunThatPrintedNothingHasNoFile() throws IOException {
        assertThat(read(0, 100)).isEqualTo(new LogRange(false, 0, 0, 0, ""));
        assertThat(lines(1).toLine()).isZero();
        assertThat(lines(1).end()).isTrue();
    }

    @Test
    void linesAreCountedFromOneAndOnlyWhenTheyAreWhole() throws IOException {
        write("one\ntwo\nthree\nfou");

        assertThat(lines(1)).isEqualTo(new LogReply(1, 3, "one\ntwo\nthree\n", false));
        assertThat(lines(3)).isEqualTo(new LogReply(3, 3, "three\n", false));
        assertThat(lines(4)).isEqualTo(new LogReply(4, 3, "", false));
        assertThat(lines(-7)).isEqualTo(new LogReply(1, 3, "one\ntwo\nthree\n", false));
        assertThat(lines(Integer.MAX_VALUE).text()).isEmpty();
    }

    @Test
    void manyLinesComeInSeveralAnswers() throws IOException {
        String line = "y".repeat(99) + "\n";
        write(line.repeat(25_000));

        StringBuilder read = new StringBuilder();
        for (LogReply reply = lines(1); reply.toLine() >= reply.fromLine(); reply = lines(reply.toLine() + 1)) {
            assertThat(reply.text()).hasSizeLessThan(1024 * 1024 + 200);
            read.append(reply.text());
        }

        assertThat(read.toString()).isEqualTo(line.repeat(25_000));
    }

    @Test
    void rejectsInvalidIdsAndTimesForPaths() {
        RunLogFiles files = files(1_000);

        assertThatThrownBy(() -> files.pathOf(-1, 0)).hasMessage("'logId' must be positive");
        assertThatThrownBy(() -> files.pathOf(0, 0)).hasMessage("'logId' must be positive");
        assertThatThrownBy(() -> files.pathOf(1, -1)).hasMessageContaining("logDateTime");
        assertThatThrownBy(() -> files.pathOf(1, Long.MAX_VALUE)).hasMessageContaining("logDateTime");
        assertThatThrownBy(() -> files.pathOf(1, Long.MIN_VALUE)).hasMessageContaining("logDateTime");
        assertThat(files.pathOf(Long.MAX_VALUE, 0)).isEqualTo(directory.resolve("1970-01-01/9223372036854775807.log"));
    }

    @Test
    void aLinkIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path secret = Files.writeString(elsewhere.resolve("secret"), "secret\n");
        Files.createDirectories(directory.resolve("2030-01-01"));
        Files.createSymbolicLink(directory.resolve("2030-01-01/5.log"), secret);

        assertThatThrownBy(() -> read(0, 100)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> lines(1)).isInstanceOf(IOException.class);
    }

    private RunLogFiles files(long maxBytes) {
        return new RunLogFiles(directory, CLOCK, maxBytes);
    }

    private Path write(String text) throws IOException {
        Path file = files(1_000).pathOf(5, TRIGGERED_AT);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private LogRange read(long from, int maxBytes) throws IOException {
        return new RunLogReader(files(1_000), logId -> null).read(new LogRangeRequest(5, TRIGGERED_AT, from, maxBytes));
    }

    private LogReply lines(int from) throws IOException {
        return new RunLogReader(files(1_000), logId -> null).read(new LogRequest(5, TRIGGERED_AT, from));
    }
}
