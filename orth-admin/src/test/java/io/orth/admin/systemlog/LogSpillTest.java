package io.orth.admin.systemlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogSpillTest {

    private static final int ROOM = 1 << 20;

    @TempDir
    Path directory;

    private LogSpill spill;

    @BeforeEach
    void setUp() {
        spill = new LogSpill(directory.resolve("spill"), "host:1:abc", ROOM);
    }

    private static List<LogLine> lines(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(n -> new LogLine(
                        "host:1:abc",
                        n,
                        Instant.ofEpochSecond(n),
                        LogLevel.WARN,
                        "line %d \"quoted\" 中".formatted(n),
                        n % 2 == 0 ? "worker" : null,
                        n % 3 == 0 ? "queue" : null))
                .toList();
    }

    private static List<LogLine> readAll(LogSpill spill) throws IOException {
        List<LogLine> read = new ArrayList<>();
        while (!spill.isEmpty()) {
            SpillFile.Piece piece = spill.next(7);
            read.addAll(piece.lines());
            spill.done(piece);
        }
        return read;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("spill"))) {
            return files.toList();
        }
    }

    @Test
    void returnsLinesUnchangedInOrder() throws IOException {
        assertThat(spill.add(lines(1, 10))).isEqualTo(10);
        assertThat(spill.add(lines(11, 20))).isEqualTo(10);
        assertThat(spill.lines()).isEqualTo(20);

        assertThat(readAll(spill)).isEqualTo(lines(1, 20));
        assertThat(spill.lines()).isZero();
        spill.close();
        assertThat(files()).isEmpty();
    }

    @Test
    void acceptsLinesWhileReading() throws IOException {
        spill.add(lines(1, 10));
        SpillFile.Piece piece = spill.next(5);
        spill.add(lines(11, 12));
        spill.done(piece);

        assertThat(piece.lines()).isEqualTo(lines(1, 5));
        assertThat(readAll(spill)).isEqualTo(lines(6, 12));
    }

    @Test
    @Tag("must-queues")
    void acceptsLinesUpToItsSize() throws IOException {
        int taken = 0;
        int last = -1;
        while (last != 0) {
            last = spill.add(lines(taken + 1, taken + 1_000));
            taken += last;
        }

        assertThat(Files.size(files().get(0))).isBetween(ROOM - 1_000L, (long) ROOM);
        assertThat(readAll(spill)).isEqualTo(lines(1, taken));
        assertThat(spill.add(lines(1, 10))).isEqualTo(10);
    }

    @Test
    @Tag("must-queues")
    void adoptsLeftFileAndCountsUnreadableLines() throws IOException {
        spill.add(lines(1, 10));
        spill.close();
        Files.writeString(files().get(0), "{\"node\":\"host:1", StandardCharsets.UTF_8, StandardOpenOption.APPEND);

        LogSpill next = new LogSpill(directory.resolve("spill"), "host:2:def", ROOM);
        next.adopt();
        assertThat(next.lines()).isEqualTo(10);
        List<LogLine> read = new ArrayList<>();
        int unreadable = 0;
        while (!next.isEmpty()) {
            SpillFile.Piece piece = next.next(3);
            read.addAll(piece.lines());
            unreadable += piece.unreadable();
            next.done(piece);
        }

        assertThat(read).isEqualTo(lines(1, 10));
        assertThat(unreadable).isEqualTo(1);
        assertThat(files()).isEmpty();
    }

    @Test
    void doesNotAdoptFileOfLivingNode() throws IOException {
        spill.add(lines(1, 10));

        LogSpill other = new LogSpill(directory.resolve("spill"), "host:2:def", ROOM);
        other.adopt();

        assertThat(other.isEmpty()).isTrue();
        assertThat(readAll(spill)).hasSize(10);
    }

    @Test
    void skipsUnreadableFile() throws IOException {
        Files.createDirectories(directory.resolve("spill"));
        Files.write(directory.resolve("spill/noise.jsonl"), new byte[700_000]);

        spill.adopt();

        assertThat(readAll(spill)).isEmpty();
        assertThat(files()).isEmpty();
    }
}
