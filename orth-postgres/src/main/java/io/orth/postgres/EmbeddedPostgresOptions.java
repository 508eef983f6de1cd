package io.orth.postgres;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Location and durability of an embedded server.
 *
 * @param directory directory for all of the server's files; kept across restarts
 * @param binariesDirectory directory to which the server's programs are unpacked once per version; may be shared by several servers
 * @param port port the server listens on; 0 for any free port
 * @param durable whether a commit is on disk before it is acknowledged; false only for data that may be lost
 * @param startLimit how long the server may take until it accepts connections, including recovery after a crash
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

    /** Returns options for a durable server with data and programs under {@code directory}. */
    public static EmbeddedPostgresOptions in(Path directory) {
        return new EmbeddedPostgresOptions(directory, directory.resolve("binaries"), 0, true, START_LIMIT, STOP_LIMIT);
    }

    public EmbeddedPostgresOptions withBinariesIn(Path shared) {
        return new EmbeddedPostgresOptions(directory, shared, port, durable, startLimit, stopLimit);
    }

    /** Returns a copy with this port, for callers that know the server's previous one. */
    public EmbeddedPostgresOptions withPort(int known) {
        return new EmbeddedPostgresOptions(directory, binariesDirectory, known, durable, startLimit, stopLimit);
    }

    /** Returns a copy without durability, for tests: several times faster, but a power failure may lose everything. */
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
