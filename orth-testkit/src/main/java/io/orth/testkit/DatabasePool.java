package io.orth.testkit;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;

/**
 * Databases that are copies of one migrated template. A few are made ahead, and used ones are dropped, on a thread of the
 * pool, so that a test hardly waits for either.
 */
final class DatabasePool implements AutoCloseable {

    record Database(String name, String url, String user, String password) {}

    static final String NO_MIGRATIONS = "";

    /** Where Orth has its tables unless it is told otherwise. */
    private static final String SCHEMA = "orth";

    private static final int AHEAD = 3;
    private static final long CLOSE_LIMIT_SECONDS = 10;

    private final ServerAddress server;
    private final String template;
    /** Of the addresses of its databases. */
    private final String parameters;

    private final ExecutorService maker;
    /** Guarded by this pool. */
    private final Queue<Future<Database>> ready = new ArrayDeque<>();
    /** Guarded by this pool. */
    private int made;

    DatabasePool(ServerAddress server, String name, String migrations) {
        this.server = server;
        this.template = name + "_template";
        this.maker = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "orth-testkit-" + name);
            thread.setDaemon(true);
            return thread;
        });
        this.parameters = migrations.equals(NO_MIGRATIONS) ? "" : "?currentSchema=" + SCHEMA;
        makeTemplate(migrations);
        for (int i = 0; i < AHEAD; i++) {
            makeAnother();
        }
    }

    private void makeTemplate(String migrations) {
        server.execute("create database " + template);
        if (!migrations.equals(NO_MIGRATIONS)) {
            Flyway.configure()
                    .dataSource(server.jdbcUrl(template), server.user(), server.password())
                    .locations(migrations)
                    .defaultSchema(SCHEMA)
                    .load()
                    .migrate();
        }
        server.execute("alter database %s with is_template true allow_connections false".formatted(template));
    }

    synchronized Database take() {
        makeAnother();
        try {
            return ready.remove().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("no database for this test", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a database", e);
        }
    }

    /** Drops the database, disconnecting whoever still uses it. */
    void giveBack(Database database) {
        maker.execute(() -> server.execute("drop database %s with (force)".formatted(database.name())));
    }

    private synchronized void makeAnother() {
        made++;
        String name = template.replace("_template", "_" + made);
        ready.add(maker.submit(() -> make(name)));
    }

    private Database make(String name) {
        // Several times faster than the default strategy here, as nothing waits for a disk.
        server.execute("create database %s template %s strategy file_copy".formatted(name, template));
        return new Database(name, server.jdbcUrl(name) + parameters, server.user(), server.password());
    }

    /** When this returns, nothing is made or dropped any more. */
    @Override
    public void close() {
        maker.shutdownNow();
        try {
            maker.awaitTermination(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
