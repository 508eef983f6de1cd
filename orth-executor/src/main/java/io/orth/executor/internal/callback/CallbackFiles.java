package io.orth.executor.internal.callback;

import io.orth.protocol.CallbackItem;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undelivered results, as files {@code orth-callback-{md5}.log} of {@link CallbackRecords records}. The name is the digest of the
 * content, so a truncated or modified file is recognized; its intact records are recovered. Files are written atomically and are
 * on disk when {@link #write} returns. The directory belongs to one executor at a time.
 */
public final class CallbackFiles implements AutoCloseable {

    /** Larger than any file that this class writes. */
    static final long MAX_FILE_BYTES = 32L * 1024 * 1024;

    private static final Logger log = LoggerFactory.getLogger(CallbackFiles.class);
    private static final String PREFIX = "orth-callback-";
    private static final String SUFFIX = ".log";
    private static final String UNFINISHED = ".tmp";
    private static final String BAD = ".bad";

    private final Path directory;
    private final FileChannel lockChannel;

    private CallbackFiles(Path directory, FileChannel lockChannel) {
        this.directory = directory;
        this.lockChannel = lockChannel;
    }

    /** @throws IOException if the directory cannot be used or is in use by another executor */
    public static CallbackFiles open(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!lock(channel)) {
            channel.close();
            throw new IOException("another executor uses the directory " + directory.toAbsolutePath());
        }
        CallbackFiles files = new CallbackFiles(directory, channel);
        files.deleteUnfinished();
        return files;
    }

    Path write(List<CallbackItem> items) throws IOException {
        byte[] content = CallbackRecords.write(items);
        Path file = directory.resolve(PREFIX + md5(content) + SUFFIX);
        Path unfinished = directory.resolve(file.getFileName() + UNFINISHED);
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        move(unfinished, file);
        syncDirectory();
        return file;
    }

    /**
     * Reads a file. Returns empty if it does not exist, or if it is damaged and has no intact record. A damaged file is renamed
     * to {@code .bad} after its intact records have been written to a new file.
     */
    Optional<Batch> read(Path file) throws IOException {
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_FILE_BYTES) {
            setAside(file, "it is not a file of a possible size");
            return Optional.empty();
        }
        byte[] content = Files.readAllBytes(file);
        List<CallbackItem> items = CallbackRecords.read(content);
        if (items.isEmpty()) {
            setAside(file, "there is no whole result in it");
            return Optional.empty();
        }
        if (file.getFileName().toString().equals(PREFIX + md5(content) + SUFFIX)) {
            return Optional.of(new Batch(file, items));
        }
        return Optional.of(save(items, file));
    }

    /**
     * Replaces a damaged file with a file of its intact records. The damaged file is removed last, so nothing is lost at any
     * moment. If all records are intact, the new file has the same name and has replaced it. The new file keeps the modification
     * time, so that it counts as a leftover if the old one did.
     */
    private Batch save(List<CallbackItem> items, Path damaged) throws IOException {
        FileTime written = Files.getLastModifiedTime(damaged, LinkOption.NOFOLLOW_LINKS);
        Files.copy(damaged, bad(damaged), StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
        Path file = write(items);
        Files.setLastModifiedTime(file, written);
        if (!file.equals(damaged)) {
            Files.delete(damaged);
        }
        log.atError()
                .addKeyValue("file", damaged)
                .addKeyValue("saved", items.size())
                .log("set a damaged file of results aside as .bad and saved what was whole in it");
        return new Batch(file, items);
    }

    void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    /** Returns up to {@code limit} files that {@code wanted} accepts, in no particular order. */
    List<Path> list(int limit, Predicate<Path> wanted) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
            for (Path file : files) {
                if (found.size() == limit) {
                    break;
                }
                if (wanted.test(file)) {
                    found.add(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    /** Returns the modification time of the newest file; empty if there is none. */
    Optional<FileTime> newest() throws IOException {
        FileTime newest = null;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
            for (Path file : files) {
                FileTime time = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
                newest = newest == null || time.compareTo(newest) > 0 ? time : newest;
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return Optional.ofNullable(newest);
    }

    /** Returns any file that was not written after {@code time}. */
    Optional<Path> findWrittenUntil(FileTime time) throws IOException {
        return list(1, file -> isWrittenUntil(time, file)).stream().findFirst();
    }

    private static boolean isWrittenUntil(FileTime time, Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).compareTo(time) <= 0;
        } catch (IOException e) {
            // If the file still exists, its age is unknown, so count it.
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Releases the directory. */
    @Override
    public void close() {
        try {
            lockChannel.close();
        } catch (IOException e) {
            log.atWarn().setCause(e).addKeyValue("directory", directory).log("a directory could not be given back");
        }
    }

    private void setAside(Path file, String reason) throws IOException {
        Files.move(file, bad(file), StandardCopyOption.REPLACE_EXISTING);
        log.atError()
                .addKeyValue("file", file)
                .addKeyValue("reason", reason)
                .log("set a damaged file of results aside as .bad");
    }

    private static Path bad(Path file) {
        return file.resolveSibling(file.getFileName() + BAD);
    }

    private void deleteUnfinished() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + UNFINISHED)) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("the file system cannot rename atomically: " + to, e);
        }
    }

    /** Makes a rename survive a power failure. Windows cannot open directories and does not need this. */
    private void syncDirectory() throws IOException {
        if (File.separatorChar == '/') {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static String md5(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}
