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
 * Lines that cannot be archived now, in files up to a size: one of this node's own, and those that nodes before it have left in
 * the same directory. For one thread, but for {@link #lines()}.
 */
final class LogSpill {

    private static final String SUFFIX = ".jsonl";

    private final Path directory;
    private final Path ownPath;
    private final long mostBytes;
    private final Deque<SpillFile> left = new ArrayDeque<>();
    /** Null until it is needed. */
    private SpillFile own;

    private final AtomicLong lines = new AtomicLong();

    LogSpill(Path directory, String node, long mostBytes) {
        this.directory = directory;
        this.ownPath = directory.resolve(node.replaceAll("[^A-Za-z0-9.-]", "_") + SUFFIX);
        this.mostBytes = mostBytes;
    }

    /** Takes what nodes have left that are no more. */
    void adopt() throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path path : files) {
                adopt(path);
            }
        }
    }

    private void adopt(Path path) throws IOException {
        if (path.equals(ownPath)) {
            return;
        }
        Optional<SpillFile> file = SpillFile.open(path);
        if (file.isPresent()) {
            left.add(file.get());
            lines.addAndGet(file.get().count());
        }
    }

    /** They are on the disk when it returns, as many as there is room for; returns how many. */
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
        long size = own == null ? 0 : own.size();
        for (SpillFile file : left) {
            size += file.size();
        }
        return size;
    }

    private SpillFile ownFile() throws IOException {
        if (own == null) {
            Files.createDirectories(directory);
            own = SpillFile.open(ownPath).orElseThrow(() -> new IOException(ownPath + " is in use"));
        }
        return own;
    }

    boolean isEmpty() throws IOException {
        return left.isEmpty() && (own == null || own.isAtEnd());
    }

    /** The oldest; only where it is not empty. */
    SpillFile.Piece next(int most) throws IOException {
        return first().next(most);
    }

    private SpillFile first() {
        return left.isEmpty() ? own : left.peek();
    }

    /** They are archived. */
    void done(SpillFile.Piece piece) throws IOException {
        SpillFile file = first();
        file.done(piece);
        lines.addAndGet(-piece.lines().size());
        if (!file.isAtEnd()) {
            return;
        }
        if (left.isEmpty()) {
            own.clear();
        } else {
            left.remove().close();
        }
        if (isEmpty()) {
            lines.set(0);
        }
    }

    /** How many wait. */
    long lines() {
        return lines.get();
    }

    void close() throws IOException {
        for (SpillFile file : left) {
            file.close();
        }
        left.clear();
        if (own != null) {
            own.close();
            own = null;
        }
    }
}
