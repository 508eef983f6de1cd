package io.orth.testkit;

import io.orth.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Where a test server answers, who may use it, and in which directory it lives. */
record ServerAddress(Path directory, int port, String user, String password) {

    private static final String DATABASES = "select datname from pg_database where starts_with(datname, ?)";

    static ServerAddress of(EmbeddedPostgres postgres, Path directory) {
        return new ServerAddress(directory, postgres.port(), postgres.user(), postgres.password());
    }

    String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database);
    }

    void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("the test server refused: " + sql, e);
        }
    }

    /** Drops the databases whose names begin so, disconnecting whoever still uses them. */
    void dropDatabases(String prefix) {
        for (String name : databases(prefix)) {
            execute("alter database %s is_template false".formatted(name));
            execute("drop database %s with (force)".formatted(name));
        }
    }

    List<String> databases(String prefix) {
        List<String> names = new ArrayList<>();
        try (Connection connection = connect();
                PreparedStatement query = connection.prepareStatement(DATABASES)) {
            query.setString(1, prefix);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the test server does not say which databases it has", e);
        }
        return names;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl("postgres"), user, password);
    }

    /** Whether the process that looks after the server still does. */
    boolean isAttended() {
        return Files.isDirectory(directory) && !TestDirectories.isAbandoned(directory);
    }

    static Optional<ServerAddress> read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        return Optional.of(new ServerAddress(
                Path.of(properties.getProperty("directory")),
                Integer.parseInt(properties.getProperty("port")),
                properties.getProperty("user"),
                properties.getProperty("password")));
    }

    /** Makes or replaces the file at once, so that nobody reads half of it; its owner only may read it. */
    void write(Path file) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("directory", directory.toString());
        properties.setProperty("port", Integer.toString(port));
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        Path fresh = Files.createTempFile(file.getParent(), "new", null);
        try (Writer writer = Files.newBufferedWriter(fresh)) {
            properties.store(writer, null);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public String toString() {
        return "port %d, %s".formatted(port, directory);
    }
}
