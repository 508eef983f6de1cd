package io.orth.admin.transition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * A file that is rotated when full: {@code name.1} is the previous file, and so on; the oldest is deleted. Appended data is on disk once
 * {@link #force} has returned. If a call throws, part of the data may have been written: whole lines and a partial one, which is
 * terminated before the next append. Not thread-safe.
 */
final class RotatingFile {

    private final Path path;
    private final long maxSize;
    private final int files;
    private FileChannel open;
    /** Identifies the open file, to detect a file that another process has put in its place. */
    private Object openKey;

    RotatingFile(Path path, long maxSize, int files) {
        this.path = path;
        this.maxSize = maxSize;
        this.files = files;
    }

    void append(ByteBuffer lines) throws IOException {
        try {
            FileChannel channel = roomFor(lines.remaining());
            while (lines.hasRemaining()) {
                channel.write(lines);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    void force() throws IOException {
        if (open == null) {
            return;
        }
        try {
            open.force(false);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private FileChannel roomFor(int size) throws IOException {
        if (open == null || !isInPlace()) {
            force();
            reopen();
        }
        if (open.size() > 0 && open.size() + size > maxSize) {
            force();
            close();
            rotate();
            reopen();
        }
        return open;
    }

    /** Returns false if the path no longer refers to the open file, because it was deleted or rotated by another process. */
    private boolean isInPlace() throws IOException {
        try {
            return Objects.equals(openKey, keyOf(path));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static Object keyOf(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    private void reopen() throws IOException {
        close();
        Files.createDirectories(path.toAbsolutePath().getParent());
        open = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        openKey = keyOf(path);
        endBrokenLine(open);
    }

    /** Terminates a partial line left by a process that was killed while writing, so it does not corrupt the next one. */
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

    /** Also deletes files left from a configuration that kept more. */
    private void rotate() throws IOException {
        int beyond = files;
        while (Files.deleteIfExists(aside(beyond))) {
            beyond++;
        }
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
