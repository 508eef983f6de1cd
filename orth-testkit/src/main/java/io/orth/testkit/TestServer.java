package io.orth.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What one test JVM has of a PostgreSQL server: the server of its build, or one of its own where there is no build. Found
 * or started by the first test that needs it, let go by JUnit after the last.
 */
final class TestServer implements AutoCloseable {

    /** Of this JVM's databases, so that nobody meets those of a JVM that died. */
    private static final String PREFIX = "test_%s_".formatted(ProcessKey.of(ProcessHandle.current()));

    private final ServerAddress address;
    /** Lets go of the server. */
    private final Runnable release;
    /** By where their migrations are. Guarded by this server. */
    private final Map<String, DatabasePool> pools = new HashMap<>();

    private TestServer(ServerAddress address, Runnable release) {
        this.address = address;
        this.release = release;
    }

    static TestServer of(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(TestServer.class))
                .computeIfAbsent(TestServer.class, key -> open(Build.ofThisProcess()), TestServer.class);
    }

    static TestServer open(Optional<Build> build) {
        try {
            return build.isPresent() ? ofBuild(build.get()) : own();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It goes on for the next test JVM, without the databases of this one. */
    private static TestServer ofBuild(Build build) throws IOException {
        ServerAddress address = BuildServer.of(build);
        return new TestServer(address, () -> address.dropDatabases(PREFIX));
    }

    private static TestServer own() throws IOException {
        OwnServer server = OwnServer.start();
        return new TestServer(server.address(), server::close);
    }

    ServerAddress address() {
        return address;
    }

    synchronized DatabasePool pool(String migrations) {
        return pools.computeIfAbsent(
                migrations, location -> new DatabasePool(address, PREFIX + pools.size(), location));
    }

    @Override
    public synchronized void close() {
        pools.values().forEach(DatabasePool::close);
        release.run();
    }
}
