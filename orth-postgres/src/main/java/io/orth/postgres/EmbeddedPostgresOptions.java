package io.orth.postgres;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Where an embedded server lives and how careful it is.
 *
 * @param directory everything the server owns; kept across restarts
 * @param binariesDirectory where the server's programs are unpacked once per version; may be shared by many servers
 * @param port where the server listens; 0 for any that is free
 * @param durable whether a commit is on disk before it is acknowledged; false only for data nobody will miss
 * @param startLimit how long the server may take until it answers, including recovery after a crash
 * @param stopLimit how long a fast shutdown may take before the server is stopped without one
 */
public record EmbeddedPostgresOptions(
        Path directory, Path binariesDirectory, int port, boolean durable, Duration startLimit, Duration stopLimit) {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    public EmbeddedPostgresOptions {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(binariesDirectory, "binariesDirectory");
        Objects.requireNonNull(startLimit, "startLimit");
        Objects.requireNonNull(stopLimit, "stopLimit");
    }

    /** A durable server whose data and programs are under {@code directory}. */
    public static EmbeddedPostgresOptions in(Path directory) {
        return new EmbeddedPostgresOptions(directory, directory.resolve("binaries"), 0, true, START_LIMIT, STOP_LIMIT);
    }

    public EmbeddedPostgresOptions withBinariesIn(Path shared) {
        return new EmbeddedPostgresOptions(directory, shared, port, durable, startLimit, stopLimit);
    }

    /** For whoever knows where the server was before. */
    public EmbeddedPostgresOptions withPort(int known) {
        return new EmbeddedPostgresOptions(directory, binariesDirectory, known, durable, startLimit, stopLimit);
    }

    /** For tests: several times faster, and a power cut may lose everything. */
    public EmbeddedPostgresOptions withoutDurability() {
        return new EmbeddedPostgresOptions(directory, binariesDirectory, port, false, startLimit, stopLimit);
    }

    public EmbeddedPostgresOptions withStartLimit(Duration limit) {
        return new EmbeddedPostgresOptions(directory, binariesDirectory, port, durable, limit, stopLimit);
    }

    public EmbeddedPostgresOptions withStopLimit(Duration limit) {
        return new EmbeddedPostgresOptions(directory, binariesDirectory, port, durable, startLimit, limit);
    }
}
