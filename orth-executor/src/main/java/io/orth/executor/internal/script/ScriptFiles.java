package io.orth.executor.internal.script;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The script files of one executor, in a directory that only its user can read. Files are written atomically. A file is kept
 * until another version of its job's script exists and no run uses the old one, or until the next start of the executor.
 */
final class ScriptFiles {

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final Pattern OURS = Pattern.compile("-?\\d+_-?\\d+\\.\\w+(\\.\\d+\\.tmp)?");

    private final Path directory;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private final Map<ScriptFile, Integer> users = new HashMap<>();
    private boolean prepared;

    ScriptFiles(Path directory) {
        this.directory = directory.toAbsolutePath();
    }

    /** Writes the file and keeps it until {@link #release}. Deletes unused files of other versions. */
    void acquire(ScriptFile file, String text) throws IOException {
        lock.lock();
        try {
            prepare();
            write(file, text);
            users.merge(file, 1, Integer::sum);
            remove(name -> name.startsWith(file.jobId() + "_"));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the path of the file; writes it again if it has been deleted. */
    Path restore(ScriptFile file, String text) throws IOException {
        lock.lock();
        try {
            Path path = pathOf(file);
            if (!Files.isRegularFile(path)) {
                prepared = false;
                prepare();
                write(file, text);
            }
            return path;
        } finally {
            lock.unlock();
        }
    }

    void release(ScriptFile file) throws IOException {
        lock.lock();
        try {
            users.computeIfPresent(file, (any, count) -> count == 1 ? null : count - 1);
            boolean superseded = users.keySet().stream().anyMatch(used -> used.jobId() == file.jobId());
            if (superseded) {
                remove(name -> name.equals(file.name()));
            }
        } finally {
            lock.unlock();
        }
    }

    private Path pathOf(ScriptFile file) {
        return directory.resolve(file.name());
    }

    /** Creates the directory and deletes the files of an earlier start. */
    private void prepare() throws IOException {
        if (prepared) {
            return;
        }
        Files.createDirectories(directory);
        if (POSIX) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
        remove(name -> OURS.matcher(name).matches());
        prepared = true;
    }

    /** Writes a temporary file, readable by its owner only, and renames it, which keeps the permissions. */
    private void write(ScriptFile file, String text) throws IOException {
        Path temporary = Files.createTempFile(directory, file.name() + ".", ".tmp");
        try {
            Files.writeString(temporary, text);
            Files.move(temporary, pathOf(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void remove(Predicate<String> which) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (which.test(name)
                        && users.keySet().stream().noneMatch(used -> used.name().equals(name))) {
                    Files.deleteIfExists(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
