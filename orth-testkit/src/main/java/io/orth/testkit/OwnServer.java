package io.orth.testkit;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL server that this process runs for tests; stopped by its own watcher if the process is killed. */
record OwnServer(Path directory, EmbeddedPostgres postgres) implements AutoCloseable {

    static OwnServer start() throws IOException {
        TestDirectories.removeAbandoned();
        Path directory = TestDirectories.create();
        // There is nothing to save, so a server that is no longer needed is not given time to save it.
        EmbeddedPostgresOptions options = EmbeddedPostgresOptions.in(directory)
                .withBinariesIn(TestDirectories.binaries())
                .withoutDurability()
                .withStopLimit(Duration.ZERO);
        return new OwnServer(directory, EmbeddedPostgres.start(options));
    }

    ServerAddress address() {
        return ServerAddress.of(postgres, directory);
    }

    @Override
    public void close() {
        postgres.stop();
        TestDirectories.delete(directory);
    }
}
