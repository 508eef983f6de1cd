package io.orth.admin.systemlog;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lines in a file, one JSON object each. Reads proceed from the start while lines are appended. The file is locked, so no other node takes
 * it over. Not thread-safe.
 */
final class SpillFile {

    /** Exceeds the length of any line. */
    private static final int PIECE = 1 << 18;

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(each -> each.withValueInclusion(Include.NON_NULL))
            .build();

    private final Path path;
    private final RandomAccessFile file;
    private final FileLock lock;
    /** Everything before this offset is archived. */
    private long reached;

    /**
     * A batch of lines.
     *
     * @param unreadable number of further lines that are damaged because their writer was killed
     * @param upTo offset of the byte after them
     */
    record Piece(List<LogLine> lines, int unreadable, long upTo) {}

    private SpillFile(Path path, RandomAccessFile file, FileLock lock) {
        this.path = path;
        this.file = file;
        this.lock = lock;
    }

    /** Opens and locks the file. Empty if another process has locked it. */
    static Optional<SpillFile> open(Path path) throws IOException {
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        try {
            FileLock lock = file.getChannel().tryLock();
            if (lock != null) {
                return Optional.of(new SpillFile(path, file, lock));
            }
        } catch (OverlappingFileLockException e) {
            // Locked by another admin in this JVM.
        }
        file.close();
        return Optional.empty();
    }

    long size() throws IOException {
        return file.length();
    }

    /** Appends lines durably. If it throws, nothing was written. */
    void append(byte[] lines) throws IOException {
        long before = file.length();
        try {
            file.seek(before);
            file.write(lines);
            file.getFD().sync();
        } catch (IOException e) {
            file.setLength(before);
            throw e;
        }
    }

    boolean isAtEnd() throws IOException {
        return reached >= file.length();
    }

    /** Returns the next lines, at most {@code most}; an empty batch at the end of the file. */
    Piece next(int most) throws IOException {
        byte[] bytes = new byte[(int) Math.min(PIECE, file.length() - reached)];
        file.seek(reached);
        file.readFully(bytes);
        List<LogLine> lines = new ArrayList<>();
        int unreadable = 0;
        int begin = 0;
        while (begin < bytes.length && lines.size() + unreadable < most) {
            int end = endOfLine(bytes, begin);
            if (end < 0 && begin > 0) {
                break;
            }
            int stop = end < 0 ? bytes.length : end;
            Optional<LogLine> line = read(Arrays.copyOfRange(bytes, begin, stop));
            line.ifPresent(lines::add);
            unreadable += line.isPresent() ? 0 : 1;
            begin = Math.min(bytes.length, stop + 1);
        }
        return new Piece(lines, unreadable, reached + begin);
    }

    private static int endOfLine(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    void done(Piece piece) {
        reached = piece.upTo();
    }

    /** Truncates the file after all its lines were archived. */
    void clear() throws IOException {
        file.setLength(0);
        reached = 0;
    }

    /** Returns the number of lines. */
    long count() throws IOException {
        byte[] bytes = new byte[PIECE];
        long lines = 0;
        file.seek(0);
        for (int read = file.read(bytes); read > 0; read = file.read(bytes)) {
            for (int i = 0; i < read; i++) {
                lines += bytes[i] == '\n' ? 1 : 0;
            }
        }
        return lines;
    }

    /** Closes the file, and deletes it if all its lines are archived. */
    void close() throws IOException {
        boolean empty = isAtEnd();
        lock.release();
        file.close();
        if (empty) {
            Files.deleteIfExists(path);
        }
    }

    static byte[] write(LogLine line) {
        return (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static Optional<LogLine> read(byte[] text) {
        try {
            return Optional.ofNullable(JSON.readValue(text, LogLine.class));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
