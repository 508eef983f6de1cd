package io.orth.postgres;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The exclusive right to a directory, held by one server of one process; the operating system releases it if the process dies. */
final class DirectoryLock {

    /**
     * Directories held by this process. File locks are per process, and closing any channel on a locked file releases the lock of other
     * channels. A second attempt in the same process therefore must not even open the file.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory) {
        if (!HELD_HERE.add(directory)) {
            throw taken(directory, Long.toString(ProcessHandle.current().pid()));
        }
        try {
            return new DirectoryLock(directory, lock(directory));
        } catch (IOException e) {
            HELD_HERE.remove(directory);
            throw new EmbeddedPostgresException(
                    "The database directory %s cannot be locked: %s.".formatted(directory, Directories.reason(e)), e);
        } catch (RuntimeException e) {
            HELD_HERE.remove(directory);
            throw e;
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        Path file = directory.resolve("lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw taken(directory, Files.readString(file).strip());
            }
            byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(pid));
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static EmbeddedPostgresException taken(Path directory, String holder) {
        return new EmbeddedPostgresException(
                "The database directory %s is already in use by another Orth (process %s); stop that one first or choose another data directory."
                        .formatted(directory, holder.isEmpty() ? "unknown" : holder));
    }

    Path directory() {
        return directory;
    }

    /** Returns whether the lock was held until now. */
    boolean release() {
        synchronized (channel) {
            if (!channel.isOpen()) {
                return false;
            }
            try {
                channel.close();
            } catch (IOException e) {
                throw new EmbeddedPostgresException("The lock of %s cannot be released.".formatted(directory), e);
            } finally {
                HELD_HERE.remove(directory);
            }
            return true;
        }
    }
}
