package io.orth.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    /** One unpacked copy of the server for all tests of this user; nobody else's, as its programs are going to be run. */
    static Path binaries() throws IOException {
        Path shared = temporary().resolve("orth-postgres-binaries-" + System.getProperty("user.name"));
        Files.createDirectories(shared);
        Path mine = Files.createTempFile("orth", null);
        try {
            boolean trusted = Files.isDirectory(shared, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(shared).equals(Files.getOwner(mine));
            return trusted ? shared : create();
        } finally {
            Files.delete(mine);
        }
    }

    /** What killed test JVMs left behind: their locks are free. */
    static void removeAbandoned() throws IOException {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(temporary(), PREFIX + "*")) {
            for (Path directory : directories) {
                boolean other = !directory.getFileName().toString().startsWith(prefixOfThisProcess());
                if (other && isAbandoned(directory.resolve("lock"))) {
                    delete(directory);
                }
            }
        }
    }

    private static boolean isAbandoned(Path lockFile) {
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
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
