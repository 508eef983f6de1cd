package io.orth.admin.systemlog;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lines on disk that cannot be archived at present, up to a total size. Consists of this node's own file and files that earlier nodes left
 * in the same directory. Not thread-safe, except {@link #lines()}.
 */
final class LogSpill {

    private static final String SUFFIX = ".jsonl";

    private final Path directory;
    private final Path ownPath;
    private final long mostBytes;
    /** Oldest first. This node's own file, once it exists, is the last. */
    private final Deque<SpillFile> files = new ArrayDeque<>();
    /** Null until it is needed. */
    private SpillFile own;

    private final AtomicLong lines = new AtomicLong();

    LogSpill(Path directory, String node, long mostBytes) {
        this.directory = directory;
        this.ownPath = directory.resolve(node.replaceAll("[^A-Za-z0-9.-]", "_") + SUFFIX);
        this.mostBytes = mostBytes;
    }

    /** Takes over the files of nodes that have stopped. */
    void adopt() throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path path : paths) {
                Optional<SpillFile> file = path.equals(ownPath) ? Optional.empty() : SpillFile.open(path);
                if (file.isPresent()) {
                    files.add(file.get());
                    lines.addAndGet(file.get().count());
                }
            }
        }
    }

    /** Writes lines durably until the size limit. Returns the number of lines written. */
    int add(List<LogLine> some) throws IOException {
        long room = mostBytes - size();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int taken = 0;
        for (LogLine line : some) {
            byte[] text = SpillFile.write(line);
            if (bytes.size() + text.length > room) {
                break;
            }
            bytes.writeBytes(text);
            taken++;
        }
        if (taken > 0) {
            ownFile().append(bytes.toByteArray());
            lines.addAndGet(taken);
        }
        return taken;
    }

    private long size() throws IOException {
        long size = 0;
        for (SpillFile file : files) {
            size += file.size();
        }
        return size;
    }

    private SpillFile ownFile() throws IOException {
        if (own == null) {
            Files.createDirectories(directory);
            own = SpillFile.open(ownPath).orElseThrow(() -> new IOException(ownPath + " is in use"));
            files.add(own);
        }
        return own;
    }

    boolean isEmpty() throws IOException {
        return files.isEmpty() || (files.peek() == own && own.isAtEnd());
    }

    /** Returns the oldest lines. Call only if the spill is not empty. */
    SpillFile.Piece next(int most) throws IOException {
        return files.element().next(most);
    }

    /** Removes lines that have been archived. */
    void done(SpillFile.Piece piece) throws IOException {
        SpillFile file = files.element();
        file.done(piece);
        lines.addAndGet(-piece.lines().size());
        if (!file.isAtEnd()) {
            return;
        }
        if (file == own) {
            own.clear();
        } else {
            files.remove().close();
        }
        if (isEmpty()) {
            lines.set(0);
        }
    }

    /** Returns the number of lines on disk. Thread-safe. */
    long lines() {
        return lines.get();
    }

    void close() throws IOException {
        for (SpillFile file : files) {
            file.close();
        }
        files.clear();
        own = null;
    }
}
