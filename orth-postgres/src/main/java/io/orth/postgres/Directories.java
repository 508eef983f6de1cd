package io.orth.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

/** Operations on directories. */
final class Directories {

    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private Directories() {}

    /** Creates the directory if it is missing, verifies that files can be created in it, and returns its real path. */
    static Path prepare(Path directory) {
        try {
            Files.createDirectories(directory);
            Path real = directory.toRealPath();
            Files.delete(Files.createTempFile(real, ".writable", null));
            return real;
        } catch (FileAlreadyExistsException e) {
            throw new EmbeddedPostgresException(
                    "%s is needed as a directory, but it is a file.".formatted(e.getFile()), e);
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "Orth cannot write to its database directory %s (%s).".formatted(directory, reason(e)), e);
        }
    }

    static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileSystemException detailed && detailed.getReason() != null) {
            return detailed.getReason();
        }
        return e.getMessage();
    }

    /** Deletes a directory with its contents; a missing one is accepted. Links are deleted, not followed. */
    static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new EmbeddedPostgresException("%s cannot be removed: %s.".formatted(directory, e.getMessage()), e);
        }
    }

    /** Syncs the directory, so that renames in it survive a power failure. */
    static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
