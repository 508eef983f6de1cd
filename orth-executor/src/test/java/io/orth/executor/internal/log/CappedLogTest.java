package io.orth.executor.internal.log;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log that has reached its limit: its head and tail are kept, and the dropped part between them is reported. */
@Timeout(60)
class CappedLogTest {

    private static final Pattern MARK = Pattern.compile("\\[([\\d,]+) bytes of output are left out here: [^\n]*]\n");
    private static final long MB = 1024 * 1024;

    @TempDir
    Path directory;

    private final Random random = new Random(11);

    @Test
    @Tag("must-executor")
    void keepsHeadAndTailAndMarksTheCut() throws IOException {
        RunLogFiles files = files(4_000);
        long written = write(files, 0, 1_000);

        LogRange all = all(files);
        String text = all.text();

        assertThat(all.size()).isEqualTo(written);
        Matcher mark = MARK.matcher(text);
        assertThat(mark.find()).isTrue();
        String head = text.substring(0, mark.start());
        String tail = text.substring(mark.end());
        assertThat(head).contains("line 0\n").endsWith("\n").hasSizeBetween(1_900, 2_000);
        assertThat(tail).endsWith("line 999\n").hasSizeBetween(900, 2_000);
        assertThat(MARK.matcher(tail).find()).isFalse();
        assertThat(Long.parseLong(mark.group(1).replace(",", ""))).isEqualTo(written - head.length() - tail.length());
        assertThat(onDisk()).isLessThanOrEqualTo(4_000);
    }

    @Test
    void aLogWithinItsLimitIsWhole() throws IOException {
        RunLogFiles files = files(4_000);

        long written = write(files, 0, 50);

        assertThat(written).isBetween(1_500L, 3_000L);
        assertThat(all(files).text()).hasSize((int) written).doesNotContain("left out");
    }

    @Test
    void readerThatKeepsUpMissesNothing() throws IOException {
        RunLogFiles files = files(4_000);
        StringBuilder read = new StringBuilder();
        long offset = 0;
        try (RunLog log = files.open(5, TRIGGERED_AT)) {
            for (int i = 0; i < 500; i++) {
                log.line("line " + i);
                LogRange piece = range(files, offset, 100_000);
                // A piece ends where a file ends.
                LogRange rest = range(files, piece.to(), 100_000);
                read.append(piece.text()).append(rest.text());
                offset = rest.to();
            }
        }

        assertThat(numbers(read.toString())).hasSize(500).isSorted();
        assertThat(read).doesNotContain("left out");
    }

    @Test
    void piecesOfAnySizeAddUpToTheSameText() throws IOException {
        RunLogFiles files = files(4_000);
        try (RunLog log = files.open(5, TRIGGERED_AT)) {
            for (int i = 0; i < 300; i++) {
                log.line("line %d a\u00e4\u20ac\uD83D\uDE00 %s".formatted(i, "x".repeat(random.nextInt(40))));
            }
        }
        String whole = all(files).text();

        for (int round = 0; round < 50; round++) {
            StringBuilder read = new StringBuilder();
            LogRange piece = range(files, 0, 4 + random.nextInt(500));
            while (piece.to() < piece.size()) {
                read.append(piece.text());
                piece = range(files, piece.to(), 4 + random.nextInt(500));
            }
            assertThat(read.append(piece.text()).toString()).isEqualTo(whole);
        }
    }

    @Test
    void offsetsStayStableWhenOutputIsDropped() throws IOException {
        RunLogFiles files = files(4_000);
        long secondHalf = write(files, 0, 600);
        String before = range(files, secondHalf - 100, 100).text();

        write(files, 600, 610);

        assertThat(range(files, secondHalf - 100, 100).text()).isEqualTo(before);
    }

    @Test
    void lineNumbersStayStableWhenOutputIsDropped() throws IOException {
        RunLogFiles files = files(4_000);
        write(files, 0, 1_000);

        assertThat(lines(files, 1_000).text()).endsWith(" line 999\n").hasLineCount(1);
        assertThat(lines(files, 5).text())
                .contains(" line 4\n")
                .contains("left out")
                .endsWith(" line 999\n");
        assertThat(lines(files, 5).toLine()).isEqualTo(1_000);
        assertThat(lines(files, 1_001)).isEqualTo(new LogReply(1_001, 1_000, "", false));
        LogReply fromTheGap = lines(files, 500);
        assertThat(fromTheGap.text()).startsWith("[").contains("left out here").endsWith(" line 999\n");
        assertThat(fromTheGap.fromLine()).isEqualTo(500);
    }

    @Test
    void reopenedLogContinuesWhereItEnded() throws IOException {
        RunLogFiles files = files(4_000);
        long written = 0;
        for (int i = 0; i < 300; i++) {
            written += write(files(4_000), i, i + 1);
        }

        LogRange all = all(files);
        assertThat(all.size()).isEqualTo(written);
        assertThat(all.text()).contains("line 0\n").contains("left out").endsWith("line 299\n");
        assertThat(lines(files, 300).text()).endsWith(" line 299\n");
        assertThat(onDisk()).isLessThanOrEqualTo(4_000);
    }

    @Test
    void writersOfOneLogShareItsLimit() throws Exception {
        RunLogFiles files = files(40_000);
        try (RunLog first = files.open(5, TRIGGERED_AT);
                RunLog second = files.open(5, TRIGGERED_AT)) {
            Thread other = new Thread(() -> lines(second, 0, 2_000));
            other.start();
            lines(first, 0, 2_000);
            other.join();
        }

        assertThat(lines(files, 4_000).toLine()).isEqualTo(4_000);
        assertThat(onDisk()).isLessThanOrEqualTo(40_000);
    }

    @Test
    void aLineLongerThanAllFilesTogetherIsCutToo() throws IOException {
        RunLogFiles files = files(4_000);
        try (RunLog log = files.open(5, TRIGGERED_AT)) {
            log.line("begin " + "\u20ac".repeat(20_000) + " end");
            log.line("next");
        }

        String text = all(files).text();
        assertThat(text).contains("begin \u20ac").contains("left out").contains("\u20ac end\n");
        assertThat(text).doesNotContain("\uFFFD").endsWith("next\n");
        assertThat(onDisk()).isLessThanOrEqualTo(4_000);
        assertThat(lines(files, 2).text()).endsWith("next\n");
        assertThat(lines(files, 2).toLine()).isEqualTo(2);
    }

    @Test
    void ignoresTailFileWithIncompleteHeader() throws IOException {
        RunLogFiles files = files(4_000);
        write(files, 0, 1_000);
        String text = all(files).text();
        Path older = Stream.of("5.log.tail1", "5.log.tail2")
                .map(directory.resolve("2030-01-01")::resolve)
                .min((a, b) -> header(a).compareTo(header(b)))
                .orElseThrow();

        Files.writeString(older, "[the output goes");

        assertThat(all(files).text()).contains("line 0\n").contains("left out").endsWith("line 999\n");
        assertThat(all(files).text().length()).isLessThan(text.length());
        write(files, 1_000, 1_100);
        assertThat(all(files).text()).endsWith("line 1099\n");
    }

    @RepeatedTest(5)
    void readersAndTheWriterDoNotDisturbEachOther() throws Exception {
        RunLogFiles files = files(20_000);
        AtomicBoolean writing = new AtomicBoolean(true);
        Thread writer = new Thread(() -> {
            try (RunLog log = files.open(5, TRIGGERED_AT)) {
                lines(log, 0, 20_000);
            } finally {
                writing.set(false);
            }
        });
        writer.start();
        LogRange piece = range(files, 0, 700);
        StringBuilder read = new StringBuilder(piece.text());
        boolean mayGrow = true;
        while (mayGrow || piece.to() < piece.size()) {
            mayGrow = writing.get();
            long asked = piece.to();
            piece = range(files, asked, 1 + random.nextInt(3_000));
            assertThat(piece.to()).isGreaterThanOrEqualTo(asked);
            read.append(piece.text());
        }
        writer.join();

        List<Integer> numbers = numbers(read.toString());
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(numbers.get(numbers.size() - 1)).isEqualTo(19_999);
        // The gaps are exact to the byte: the text without its marks and the gaps add up to all that was written.
        long missed = MARK.matcher(read)
                .results()
                .mapToLong(mark -> Long.parseLong(mark.group(1).replace(",", "")))
                .sum();
        int seen = MARK.matcher(read).replaceAll("").length();
        assertThat(seen + missed).isEqualTo(piece.size());
    }

    @Test
    @Tag("must-executor")
    @Timeout(300)
    void hugeOutputStaysWithinTheLimit() throws IOException {
        long output = Boolean.getBoolean("orth.full") ? 1024 * MB : 64 * MB;
        RunLogFiles files = files(output / 4);
        String text = "x".repeat(1_000 - 60);
        long started = System.nanoTime();
        try (RunLog log = files.open(5, TRIGGERED_AT)) {
            for (long i = 0; i < output / 1_000; i++) {
                log.line(text);
            }
        }
        Duration took = Duration.ofNanos(System.nanoTime() - started);

        assertThat(took).isLessThan(Duration.ofSeconds(60));
        assertThat(onDisk()).isBetween(output / 6, output / 4);
        int lastLine = lines(files, Integer.MAX_VALUE).toLine();
        assertThat(lastLine).isEqualTo((int) (output / 1_000));
        assertThat(lines(files, lastLine).text()).hasLineCount(1);
    }

    @Test
    void lineIndexSparesRecountingFromFirstLine() throws IOException {
        LineIndex index = new LineIndex();
        for (int log = 0; log < 1_000; log++) {
            for (int line = 1; line < 1_000; line++) {
                index.add(Path.of("log" + log), new LineIndex.Mark(line, line * 100L));
            }
        }

        assertThat(index.size()).isLessThanOrEqualTo(LineIndex.MOST_LOGS * LineIndex.MOST_LINES);
        assertThat(index.before(Path.of("log999"), 5_000)).isEqualTo(new LineIndex.Mark(999, 99_900));
        assertThat(index.before(Path.of("log999"), 500).line()).isBetween(400L, 500L);
        assertThat(index.before(Path.of("log0"), 500)).isEqualTo(new LineIndex.Mark(1, 0));
    }

    private RunLogFiles files(long maxBytes) {
        return new RunLogFiles(directory, Clock.systemUTC(), maxBytes);
    }

    /** Writes the lines with these numbers and returns their bytes. */
    private long write(RunLogFiles files, int from, int to) throws IOException {
        long before = range(files, 0, 4).size();
        try (RunLog log = files.open(5, TRIGGERED_AT)) {
            lines(log, from, to);
        }
        return range(files, 0, 4).size() - before;
    }

    private static void lines(RunLog log, int from, int to) {
        for (int i = from; i < to; i++) {
            log.line("line " + i);
        }
    }

    private static List<Integer> numbers(String text) {
        return Pattern.compile("line (\\d+)\n")
                .matcher(text)
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .toList();
    }

    private LogRange all(RunLogFiles files) throws IOException {
        StringBuilder text = new StringBuilder();
        LogRange piece = range(files, 0, 1_000_000);
        while (piece.to() < piece.size()) {
            text.append(piece.text());
            piece = range(files, piece.to(), 1_000_000);
        }
        return new LogRange(true, 0, piece.to(), piece.size(), text + piece.text());
    }

    private static LogRange range(RunLogFiles files, long from, int maxBytes) throws IOException {
        return new RunLogReader(files, logId -> null).read(new LogRangeRequest(5, TRIGGERED_AT, from, maxBytes));
    }

    private static LogReply lines(RunLogFiles files, int from) throws IOException {
        return new RunLogReader(files, logId -> null).read(new LogRequest(5, TRIGGERED_AT, from));
    }

    private static String header(Path file) {
        try (var lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.findFirst().orElseThrow();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private long onDisk() throws IOException {
        long bytes = 0;
        try (Stream<Path> parts = Files.list(directory.resolve("2030-01-01"))) {
            for (Path part : parts.toList()) {
                bytes += Files.size(part);
            }
        }
        return bytes;
    }
}
