package io.orth.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * The packaged admin with its libraries beside it, and the classes that it loads kept from the first one that ended in good order:
 * the next ones start with half the work. One for each Java.
 */
final class AdminImage {

    private static final Path HOME = Installation.ROOT.resolve("orth-e2e/target/admin");
    private static final String MAIN_CLASS = "io.orth.admin.boot.OrthAdmin";
    private static final Map<String, AdminImage> IMAGES = new ConcurrentHashMap<>();

    private final String java;
    private final Path jar;
    private final Path classes;
    private final Path unfinished;
    private final AtomicBoolean recording = new AtomicBoolean();

    private AdminImage(String java) {
        Path directory = HOME.resolve(Integer.toHexString(java.hashCode()));
        this.java = java;
        this.jar = unpack(java, directory);
        this.classes = directory.resolve("classes.jsa");
        this.unfinished = directory.resolve("unfinished.jsa");
    }

    static AdminImage of(String java) {
        return IMAGES.computeIfAbsent(java, AdminImage::new);
    }

    /** @param further classes beside its own, or null; Java keeps none where some come from a directory */
    Start start(Path further) {
        return new Start(further);
    }

    private static Path unpack(String java, Path directory) {
        try {
            delete(directory);
            Path packaged = Installation.adminJar();
            Files.createDirectories(HOME);
            Process unpacking = new ProcessBuilder(
                            java,
                            "-XX:TieredStopAtLevel=1",
                            "-Djarmode=tools",
                            "-jar",
                            packaged.toString(),
                            "extract",
                            "--destination",
                            directory.toString())
                    .inheritIO()
                    .start();
            if (unpacking.waitFor() != 0) {
                throw new IllegalStateException("could not unpack " + packaged);
            }
            return directory.resolve(packaged.getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }

    /** One start of the image; the caller reports when its process has ended. */
    final class Start {

        private final Path further;
        private final boolean records;

        private Start(Path further) {
            this.further = further;
            this.records = further == null && !Files.exists(classes) && recording.compareAndSet(false, true);
        }

        List<String> command(List<String> jvmOptions) {
            String classPath = further == null ? jar.toString() : jar + File.pathSeparator + further;
            return Stream.of(
                            List.of(java, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable"),
                            keptClasses(),
                            jvmOptions,
                            List.of("-cp", classPath, MAIN_CLASS))
                    .flatMap(List::stream)
                    .toList();
        }

        private List<String> keptClasses() {
            if (records) {
                return List.of("-XX:ArchiveClassesAtExit=" + unfinished);
            }
            return further == null && Files.exists(classes) ? List.of("-XX:SharedArchiveFile=" + classes) : List.of();
        }

        /** One that was killed has kept nothing; then the next one does. */
        void ended() {
            if (!records) {
                return;
            }
            try {
                if (Files.exists(unfinished)) {
                    Files.move(unfinished, classes);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                recording.set(false);
            }
        }
    }
}
