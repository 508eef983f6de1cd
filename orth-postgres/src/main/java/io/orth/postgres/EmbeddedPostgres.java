package io.orth.postgres;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running PostgreSQL server owned by Orth. The caller that starts it closes it; it ends with its owner's process in any case.
 *
 * <p>There is one user, a superuser with a generated password, and one database for Orth. The server listens on the loopback address
 * only, on a free port that may differ at every start.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedPostgres.class);

    static final String USER = "orth";
    static final String DATABASE = "orth";

    private final DirectoryLock lock;
    private final ServerProcess server;
    private final String password;
    private final String version;

    private EmbeddedPostgres(DirectoryLock lock, ServerProcess server, String password, String version) {
        this.lock = lock;
        this.server = server;
        this.password = password;
        this.version = version;
    }

    /**
     * Starts the server of a directory; creates its data first if there is none.
     *
     * @throws EmbeddedPostgresException with one sentence for the user if the server cannot be started
     */
    public static EmbeddedPostgres start(EmbeddedPostgresOptions options) {
        Platform platform = Platform.current();
        Path directory = Directories.prepare(options.directory());
        DirectoryLock lock = DirectoryLock.acquire(directory);
        try {
            Binaries binaries = Binaries.unpacked(platform, options.binariesDirectory());
            ServerUser user = ServerUser.choose(directory, binaries.home());
            Cluster cluster = new Cluster(directory, binaries, user, options.durable());
            cluster.stopLeftovers(options.stopLimit());
            cluster.initializeIfMissing();
            ServerProcess server = ServerProcess.start(cluster, options);
            return open(lock, server, cluster.password(), binaries.version());
        } catch (RuntimeException e) {
            lock.release();
            throw e;
        }
    }

    private static EmbeddedPostgres open(DirectoryLock lock, ServerProcess server, String password, String version) {
        EmbeddedPostgres postgres = new EmbeddedPostgres(lock, server, password, version);
        try {
            postgres.createDatabaseIfMissing();
        } catch (SQLException e) {
            server.stop();
            throw new EmbeddedPostgresException(
                    "The embedded PostgreSQL started, but did not answer: %s".formatted(e.getMessage()), e);
        }
        log.atInfo()
                .addKeyValue("version", version)
                .addKeyValue("port", server.port())
                .addKeyValue("directory", lock.directory())
                .log("embedded postgresql started");
        return postgres;
    }

    private void createDatabaseIfMissing() throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl("postgres"), USER, password)) {
            if (exists(connection)) {
                return;
            }
            try (Statement create = connection.createStatement()) {
                create.execute("create database " + DATABASE);
            }
        }
    }

    private static boolean exists(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select 1 from pg_database where datname = ?")) {
            query.setString(1, DATABASE);
            return query.executeQuery().next();
        }
    }

    public String jdbcUrl() {
        return jdbcUrl(DATABASE);
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://%s:%d/%s".formatted(ServerProcess.ADDRESS, server.port(), database);
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    /** Returns the real path of the directory with all of the server's files. */
    public Path directory() {
        return lock.directory();
    }

    public int port() {
        return server.port();
    }

    /** Returns the server's release, such as 17.11. */
    public String version() {
        return version;
    }

    /** Returns a future that completes when the server process has ended, for any reason. */
    public CompletableFuture<Void> ended() {
        return server.ended();
    }

    /** Disconnects all clients, stops the server and releases the directory. Further calls have no effect. */
    public void stop() {
        server.stop();
        if (lock.release()) {
            log.atInfo().addKeyValue("directory", lock.directory()).log("embedded postgresql stopped");
        }
    }

    @Override
    public void close() {
        stop();
    }
}
