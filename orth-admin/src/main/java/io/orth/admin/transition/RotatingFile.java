package io.orth.admin.transition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is set aside when it is full: {@code name.1} is the one before, and so on; the oldest goes. What was written is on
 * the disk when the method returns. For one thread.
 */
final class RotatingFile {

    private final Path path;
    private final long maxSize;
    private final int files;
    private FileChannel open;

    RotatingFile(Path path, long maxSize, int files) {
        this.path = path;
        this.maxSize = maxSize;
        this.files = files;
    }

    void write(ByteBuffer bytes) throws IOException {
        try {
            FileChannel channel = roomFor(bytes.remaining());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Also where somebody has taken the file away meanwhile. */
    private FileChannel roomFor(int size) throws IOException {
        if (open != null && open.size() > 0 && open.size() + size > maxSize) {
            close();
            rotate();
        }
        if (open == null || !Files.exists(path)) {
            close();
            Files.createDirectories(path.toAbsolutePath().getParent());
            open = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            endBrokenLine(open);
        }
        return open;
    }

    /** A process that was killed while it wrote has left half a line, which must not spoil the next one. */
    private void endBrokenLine(FileChannel channel) throws IOException {
        long size = channel.size();
        if (size == 0) {
            return;
        }
        ByteBuffer last = ByteBuffer.allocate(1);
        try (FileChannel reader = FileChannel.open(path, StandardOpenOption.READ)) {
            reader.read(last, size - 1);
        }
        if (last.get(0) != '\n') {
            channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
        }
    }

    private void rotate() throws IOException {
        for (int n = files - 1; n >= 1; n--) {
            Path from = n == 1 ? path : aside(n - 1);
            if (Files.exists(from)) {
                Files.move(from, aside(n), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private Path aside(int n) {
        return path.resolveSibling(path.getFileName() + "." + n);
    }

    private void close() throws IOException {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
