package io.orth.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;

/** The server's programs, unpacked from the class path once per version and platform. */
record Binaries(Path home, String release) {

    private static final String UNPACKING = ".unpacking-";

    /**
     * Returns the programs under {@code directory}, unpacking them first if necessary. Safe for concurrent processes: each unpacks to a
     * temporary directory and renames it; a process that finds the target present uses it.
     */
    static Binaries unpacked(Platform platform, Path directory) {
        String release = pinnedRelease();
        Path shared = Directories.prepare(directory);
        Path home = shared.resolve("postgres-%s-%s".formatted(release, platform));
        if (!Files.isDirectory(home)) {
            try {
                removeAbandoned(shared);
                unpack(platform, shared, home);
            } catch (IOException e) {
                throw new EmbeddedPostgresException(
                        "PostgreSQL cannot be unpacked into %s: %s.".formatted(shared, Directories.reason(e)), e);
            }
        }
        return new Binaries(home, release);
    }

    private static String pinnedRelease() {
        Properties properties = new Properties();
        try (InputStream in = Binaries.class.getResourceAsStream("binaries.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("binaries.properties cannot be read", e);
        }
        return properties.getProperty("version");
    }

    private static void unpack(Platform platform, Path shared, Path home) throws IOException {
        Path fresh = shared.resolve(UNPACKING + ProcessHandle.current().pid() + "-"
                + UUID.randomUUID().toString());
        try (InputStream archive = Binaries.class.getClassLoader().getResourceAsStream(platform.archive())) {
            if (archive == null) {
                throw new NoSuchFileException(platform.archive(), null, "not on the class path");
            }
            TarXz.unpack(new BufferedInputStream(archive), fresh);
            moveIntoPlace(fresh, home);
        } finally {
            Directories.delete(fresh);
        }
    }

    private static void moveIntoPlace(Path fresh, Path home) throws IOException {
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(home)) {
                throw e;
            }
        }
    }

    /** Deletes temporary directories of processes that died while unpacking. */
    private static void removeAbandoned(Path shared) throws IOException {
        try (Stream<Path> entries = Files.list(shared)) {
            entries.filter(Binaries::isAbandoned).forEach(Directories::delete);
        }
    }

    private static boolean isAbandoned(Path entry) {
        String name = entry.getFileName().toString();
        if (!name.startsWith(UNPACKING)) {
            return false;
        }
        String pid = name.substring(UNPACKING.length(), name.indexOf('-', UNPACKING.length()));
        return ProcessHandle.of(Long.parseLong(pid)).isEmpty();
    }

    String program(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    /** Returns the release as PostgreSQL names it: the artifact's 17.11.0 is its 17.11. */
    String version() {
        return release.substring(0, release.lastIndexOf('.'));
    }

    String majorVersion() {
        return release.substring(0, release.indexOf('.'));
    }
}
