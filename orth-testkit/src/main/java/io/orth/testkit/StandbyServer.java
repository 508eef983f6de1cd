package io.orth.testkit;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;

/**
 * A standby of an embedded server, made by a base backup and fed by streaming replication. The primary acknowledges a commit when the
 * standby has it. After {@link #promote} the standby is a primary of its own.
 */
public final class StandbyServer implements AutoCloseable {

    private static final String NAME = "standby";
    private static final Duration SYNCHRONOUS_WITHIN = Duration.ofMinutes(2);

    /** Of the running primary only. */
    private static final Set<String> NOT_COPIED = Set.of("postmaster.pid", "postmaster.opts");

    private static final String SETTINGS = """

            primary_conninfo = 'host=127.0.0.1 port=%d user=%s password=%s application_name=%s'
            synchronous_standby_names = ''
            """;

    private final EmbeddedPostgres server;

    private StandbyServer(EmbeddedPostgres server) {
        this.server = server;
    }

    /**
     * Returns when the primary waits for the standby at each commit.
     *
     * @param primaryDirectory where the primary was started; it must not be written to meanwhile
     * @param directory of the standby, which does not exist yet
     */
    public static StandbyServer of(EmbeddedPostgres primary, Path primaryDirectory, Path directory) {
        try (Connection connection =
                        DriverManager.getConnection(primary.jdbcUrl(), primary.user(), primary.password());
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('standby', true)");
            Files.createDirectories(directory);
            copy(primaryDirectory.resolve("password"), directory.resolve("password"));
            copy(primaryDirectory.resolve("cluster"), directory.resolve("cluster"));
            finish(primary, statement, directory.resolve("cluster"));
            StandbyServer standby = new StandbyServer(EmbeddedPostgres.start(EmbeddedPostgresOptions.in(directory)));
            statement.execute("alter system set synchronous_standby_names = '%s'".formatted(NAME));
            statement.execute("select pg_reload_conf()");
            try {
                awaitSynchronous(statement, SYNCHRONOUS_WITHIN);
            } catch (RuntimeException | SQLException e) {
                standby.close();
                throw e;
            }
            return standby;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException("no standby could be made", e);
        }
    }

    private static void finish(EmbeddedPostgres primary, Statement statement, Path cluster)
            throws IOException, SQLException {
        try (ResultSet end = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
            end.next();
            Files.writeString(cluster.resolve("backup_label"), end.getString(1));
        }
        Files.createFile(cluster.resolve("standby.signal"));
        Files.writeString(
                cluster.resolve("postgresql.auto.conf"),
                SETTINGS.formatted(primary.port(), primary.user(), primary.password(), NAME),
                StandardOpenOption.APPEND);
    }

    static void awaitSynchronous(Statement statement, Duration within) throws SQLException {
        long start = System.nanoTime();
        while (!isSynchronous(statement)) {
            if (System.nanoTime() - start > within.toNanos()) {
                throw new IllegalStateException("the primary does not wait for its standby after " + within);
            }
        }
    }

    /** Looks after a short wait of the server's own, which this thread takes part in. */
    private static boolean isSynchronous(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(
                "select pg_sleep(0.05), exists (select from pg_stat_replication where sync_state = 'sync')")) {
            row.next();
            return row.getBoolean(2);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.copy(directory, to.resolve(from.relativize(directory)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!NOT_COPIED.contains(file.getFileName().toString())) {
                    Path target = from.equals(file) ? to : to.resolve(from.relativize(file));
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }

            /** Temporary files come and go. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Returns when it takes writes. */
    public void promote() {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_promote(true, 120)")) {
            row.next();
            if (!row.getBoolean(1)) {
                throw new IllegalStateException("the standby was not promoted");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the standby was not promoted", e);
        }
    }

    public String url() {
        return server.jdbcUrl();
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
