package io.orth.sample.hydrate;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A row for each text in a PostgreSQL of the application's own. An application with more to do would have a pool. */
final class JdbcContentStore implements ContentStore {

    private static final String CREATE = """
            create table if not exists hydrate_content (
                ref          text primary key,
                language     text not null,
                source_hash  text not null,
                generator    text not null,
                body         text not null,
                updated_at   timestamptz not null default now()
            )
            """;

    /** Executors that start together would make the same twice. */
    private static final String ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtext('hydrate_content'))";

    /** The first one, where there are several. */
    private static final Pattern SCHEMA = Pattern.compile("[?&]currentSchema=([^&,]+)");

    private static final String FIND =
            "select language, source_hash, generator, body from hydrate_content where ref = ?";

    private static final String SAVE = """
            insert into hydrate_content (ref, language, source_hash, generator, body) values (?, ?, ?, ?, ?)
            on conflict (ref) do update
               set language = excluded.language, source_hash = excluded.source_hash, generator = excluded.generator,
                   body = excluded.body, updated_at = now()
            """;

    private final String url;
    private final String user;
    private final String password;

    /** Makes the table where it is missing, and the schema where the address names one with {@code currentSchema}. */
    JdbcContentStore(String url, String user, String password) throws SQLException {
        this.url = url;
        this.user = user;
        this.password = password;
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(ONE_AT_A_TIME);
            Optional<String> schema = schemaIn(url);
            if (schema.isPresent() && !exists(connection, schema.get())) {
                statement.execute("create schema \"%s\"".formatted(schema.get().replace("\"", "\"\"")));
            }
            statement.execute(CREATE);
            connection.commit();
        }
    }

    private static Optional<String> schemaIn(String url) {
        Matcher matcher = SCHEMA.matcher(url);
        return matcher.find()
                ? Optional.of(URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Who may not make schemas may still use one. */
    private static boolean exists(Connection connection, String schema) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select 1 from pg_namespace where nspname = ?")) {
            statement.setString(1, schema);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    @Override
    public Optional<Content> find(String ref) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, ref);
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? Optional.of(new Content(
                                ref, row.getString(1), row.getString(2), row.getString(3), row.getString(4)))
                        : Optional.empty();
            }
        }
    }

    @Override
    public void save(Content content) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(SAVE)) {
            statement.setString(1, content.ref());
            statement.setString(2, content.language());
            statement.setString(3, content.sourceHash());
            statement.setString(4, content.generator());
            statement.setString(5, content.body());
            statement.executeUpdate();
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }
}
