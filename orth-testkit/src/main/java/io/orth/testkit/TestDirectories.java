package io.orth.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where test servers live: below the temporary directory, removed when they end or by the next one to start. */
final class TestDirectories {

    private static final Logger log = LoggerFactory.getLogger(TestDirectories.class);
    private static final String PREFIX = "orth-test-postgres-";

    private TestDirectories() {}

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static String prefixOfThisProcess() {
        return PREFIX + ProcessHandle.current().pid() + "-";
    }

    static Path create() throws IOException {
        return Files.createTempDirectory(prefixOfThisProcess());
    }

    /** One unpacked copy of the server for all tests of this user. */
    static Path binaries() throws IOException {
        return ofThisUser("orth-postgres-binaries-", "rwxr-xr-x");
    }

    /** Where test JVMs of one build find each other. */
    static Path meeting() throws IOException {
        return ofThisUser("orth-test-builds-", "rwx------");
    }

    /** Anybody can make the directory of that name first; what is in it would be run and believed. */
    private static Path ofThisUser(String prefix, String permissions) throws IOException {
        Path shared = temporary().resolve(prefix + System.getProperty("user.name"));
        try {
            Files.createDirectory(
                    shared, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
        } catch (FileAlreadyExistsException e) {
            // Of an earlier test, or of somebody else.
        }
        Path mine = Files.createTempFile("orth", null);
        try {
            if (!Files.isDirectory(shared, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getOwner(shared).equals(Files.getOwner(mine))) {
                throw new IOException("%s is not a directory of this user; remove it".formatted(shared));
            }
            return shared;
        } finally {
            Files.delete(mine);
        }
    }

    /** What killed test JVMs left behind: their locks are free. */
    static void removeAbandoned() throws IOException {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(temporary(), PREFIX + "*")) {
            for (Path directory : directories) {
                boolean other = !directory.getFileName().toString().startsWith(prefixOfThisProcess());
                if (other && isAbandoned(directory)) {
                    delete(directory);
                }
            }
        }
    }

    /** Whether the process that made this directory of a server is gone; not to be asked by that process itself. */
    static boolean isAbandoned(Path directory) {
        try (FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    /** What cannot be removed now is removed when the next server starts. */
    static void delete(Path directory) {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            log.atDebug().addKeyValue("directory", directory).setCause(e).log("a test directory was not removed");
        }
    }
}
