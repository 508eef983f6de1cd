package io.orth.testkit;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The PostgreSQL server of one test JVM: started by the first test that needs it, stopped by JUnit after the last, and by
 * its own watcher if the JVM is killed.
 */
final class TestServer implements AutoCloseable {

    private final Path directory;
    private final EmbeddedPostgres postgres;
    /** By where their migrations are. Guarded by this server. */
    private final Map<String, DatabasePool> pools = new HashMap<>();

    private TestServer(Path directory, EmbeddedPostgres postgres) {
        this.directory = directory;
        this.postgres = postgres;
    }

    static TestServer of(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(TestServer.class))
                .computeIfAbsent(TestServer.class, key -> start(), TestServer.class);
    }

    static TestServer start() {
        try {
            TestDirectories.removeAbandoned();
            Path directory = TestDirectories.create();
            // There is nothing to save, so a server that is no longer needed is not given time to save it.
            EmbeddedPostgresOptions options = EmbeddedPostgresOptions.in(directory)
                    .withBinariesIn(TestDirectories.binaries())
                    .withoutDurability()
                    .withStopLimit(Duration.ZERO);
            return new TestServer(directory, EmbeddedPostgres.start(options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized DatabasePool pool(String migrations) {
        return pools.computeIfAbsent(
                migrations, location -> new DatabasePool(postgres, "test_" + pools.size(), location));
    }

    @Override
    public synchronized void close() {
        pools.values().forEach(DatabasePool::close);
        postgres.stop();
        TestDirectories.delete(directory);
    }
}
