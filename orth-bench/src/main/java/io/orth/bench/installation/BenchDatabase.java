package io.orth.bench.installation;

import io.orth.bench.Findings;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** A PostgreSQL of the benchmark's own, durable as in production, that counts what is asked of it. */
public final class BenchDatabase implements AutoCloseable {

    /** What the server has done since it started. */
    public record Counters(long commits, long statements, long walBytes, double statementMillis) {

        public Counters since(Counters before) {
            return new Counters(
                    commits - before.commits,
                    statements - before.statements,
                    walBytes - before.walBytes,
                    statementMillis - before.statementMillis);
        }
    }

    /** An empty database. */
    public record Place(String url, String user, String password) {

        /** Finds the tables of Orth, and those of others. */
        public Connection connect() throws SQLException {
            Properties properties = new Properties();
            properties.setProperty("user", user);
            properties.setProperty("password", password);
            properties.setProperty("currentSchema", "orth,public");
            return DriverManager.getConnection(url, properties);
        }
    }

    private static final String COUNTERS = """
            select (select sum(xact_commit) from pg_stat_database where datname like 'bench%') as commits,
                   (select sum(calls) from pg_stat_statements) as statements,
                   (select pg_current_wal_lsn() - '0/0'::pg_lsn) as wal,
                   (select sum(total_exec_time) from pg_stat_statements) as millis
            """;

    private static final String SETTINGS = """
            select name, current_setting(name)
              from pg_settings
             where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_wal_size', 'max_connections',
                            'autovacuum_naptime', 'server_version')
             order by name
            """;

    private final EmbeddedPostgres server;
    private int made;

    private BenchDatabase(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Also enters its settings. Started twice: counting statements is a setting that a server takes at its start. */
    public static BenchDatabase start(Path directory, Findings findings) throws SQLException {
        EmbeddedPostgresOptions options = EmbeddedPostgresOptions.in(directory);
        try (EmbeddedPostgres first = EmbeddedPostgres.start(options)) {
            execute(placeIn(first, "postgres"), "alter system set shared_preload_libraries = 'pg_stat_statements'");
        }
        EmbeddedPostgres server = EmbeddedPostgres.start(options);
        execute(placeIn(server, "postgres"), "create extension if not exists pg_stat_statements");
        BenchDatabase database = new BenchDatabase(server);
        database.describe(findings);
        return database;
    }

    public Place empty() throws SQLException {
        String name = "bench%d".formatted(++made);
        execute(placeIn(server, "postgres"), "create database " + name);
        return placeIn(server, name);
    }

    /** Sessions report what they committed with a delay of up to a second, which the length of a window outweighs. */
    public Counters counters() throws SQLException {
        try (Connection connection = placeIn(server, "postgres").connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(COUNTERS)) {
            row.next();
            return new Counters(row.getLong(1), row.getLong(2), row.getLong(3), row.getDouble(4));
        }
    }

    /** The settings that decide what a commit costs, as the server has them. */
    private void describe(Findings findings) throws SQLException {
        try (Connection connection = placeIn(server, "postgres").connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(SETTINGS)) {
            while (rows.next()) {
                findings.setting("postgres." + rows.getString(1), rows.getString(2));
            }
        }
    }

    private static Place placeIn(EmbeddedPostgres server, String database) {
        return new Place(server.jdbcUrl(database), server.user(), server.password());
    }

    private static void execute(Place place, String sql) throws SQLException {
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
