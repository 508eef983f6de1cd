package io.orth.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The build's artifacts and their locations. */
final class Installation {

    static final Path ROOT = Path.of(System.getProperty("orth.root"));

    private static final String VERSION = System.getProperty("orth.version");

    private Installation() {}

    /** Whether the long forms are asked for. */
    static boolean full() {
        return Boolean.getBoolean("orth.full");
    }

    static Path adminJar() {
        return packaged("orth-admin");
    }

    static Path packaged(String module) {
        Path jar = ROOT.resolve(module).resolve("target/%s-%s-exec.jar".formatted(module, VERSION));
        if (!Files.exists(jar)) {
            throw new IllegalStateException(jar + " is missing: run ./orth build");
        }
        return jar;
    }

    /** The java that runs this test, and the newest one that {@code ./orth test} found, if any. */
    static List<String> javas() {
        String own = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String newest = System.getProperty("orth.newest.java", "");
        return newest.isBlank() || newest.startsWith("${") ? List.of(own) : List.of(own, newest);
    }
}
