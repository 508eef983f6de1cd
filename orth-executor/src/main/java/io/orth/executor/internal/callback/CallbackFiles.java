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
 * Results that are not yet delivered, as files {@code orth-callback-{md5}.log} of {@link CallbackRecords records}, each named
 * by the digest of its bytes, so that a file that was cut or changed is recognised; the records in it that are whole are
 * saved. A file appears whole or not at all and is on disk when {@link #write} returns. The directory belongs to one executor
 * at a time.
 */
public final class CallbackFiles implements AutoCloseable {

    /** Larger than any file this class writes. */
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

    /** @throws IOException if the directory cannot be used, or another executor uses it */
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
     * What a file holds; empty when it is gone, or is damaged and holds nothing that is whole. A damaged file is set aside as
     * {@code .bad} after what is whole in it has been written to a file of its own.
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
     * Puts what is whole in a damaged file into its place. The damaged one goes last, so that nothing is lost at any moment; if
     * all results were whole, the new file has its name and has replaced it. The new one is as old as it was: it counts as left
     * over if that did.
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

    /** Up to {@code limit} files that {@code wanted} accepts, in no particular order. */
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

    /** When the newest file was written; empty when there is no file. */
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

    /** Any file that was not written after {@code time}. */
    Optional<Path> findWrittenUntil(FileTime time) throws IOException {
        return list(1, file -> isWrittenUntil(time, file)).stream().findFirst();
    }

    private static boolean isWrittenUntil(FileTime time, Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).compareTo(time) <= 0;
        } catch (IOException e) {
            // If it has not gone, nothing says that it is younger.
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Gives the directory back. */
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

    /** Makes a rename survive a power cut. Windows cannot open directories, and needs no such step. */
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
