package io.orth.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A directory without write access: a file system mounted read-only if this user may mount; otherwise a directory without
 * write permission, or, as root ignores permissions, a directory of the kernel.
 */
final class ReadOnlyDirectory implements AutoCloseable {

    private static final Path OF_THE_KERNEL = Path.of("/sys");

    private final Path path;
    private final boolean mounted;

    private ReadOnlyDirectory(Path path, boolean mounted) {
        this.path = path;
        this.mounted = mounted;
    }

    static ReadOnlyDirectory at(Path path) throws IOException {
        Files.createDirectory(path);
        if (succeeds("mount", "-t", "tmpfs", "-o", "ro", "orth-e2e", path.toString())) {
            return new ReadOnlyDirectory(path, true);
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r-xr-xr-x"));
        return new ReadOnlyDirectory(Files.isWritable(path) ? OF_THE_KERNEL : path, false);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        if (mounted && !succeeds("umount", path.toString())) {
            throw new IOException(path + " is still mounted");
        }
    }

    private static boolean succeeds(String... command) throws IOException {
        Process process = new ProcessBuilder(List.of(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
