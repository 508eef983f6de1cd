package io.orth.admin.boot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the database.
 *
 * @param url JDBC URL of a PostgreSQL server, 14 or newer; if empty, Orth runs an embedded PostgreSQL in the data directory
 * @param user database user
 * @param password password of that user
 * @param schema schema of Orth's tables and of their Flyway history, created at the first start; an application can use another schema of
 *     the same database
 * @param programsDir directory into which the binaries of the embedded PostgreSQL are unpacked, which several data directories can share;
 *     null for a directory below the data directory
 * @param pooler whether the URL leads to a pooler that shares sessions between clients, such as PgBouncer in transaction mode
 * @param listenUrl JDBC URL of the same database that bypasses the pooler, for notifications; if empty, Orth polls behind a pooler
 * @param poolSize maximum number of connections for the work of this node, in addition to the listening and the reserved connections
 * @param connectTimeout how long to wait for a connection from the pool
 */
@ConfigurationProperties("orth.database")
record DatabaseProperties(
        @DefaultValue("") String url,
        @DefaultValue("") String user,
        @DefaultValue("") String password,
        @DefaultValue("orth") String schema,
        Path programsDir,
        @DefaultValue("false") boolean pooler,
        @DefaultValue("") String listenUrl,
        @DefaultValue("20") int poolSize,
        @DefaultValue("5s") Duration connectTimeout) {

    /** Names that PostgreSQL accepts without quotes, except those reserved for system schemas. */
    private static final Pattern SCHEMA = Pattern.compile("(?!pg_)[a-z_][a-z0-9_]{0,62}");

    private static final int SMALLEST_POOL = 4;

    DatabaseProperties {
        requirePostgres("orth.database.url", url);
        requirePostgres("orth.database.listen-url", listenUrl);
        if (url.isBlank() && pooler) {
            throw new IllegalArgumentException("orth.database.pooler needs an orth.database.url: got none");
        }
        if (!SCHEMA.matcher(schema).matches()) {
            throw new IllegalArgumentException(
                    "orth.database.schema must be lower-case letters, digits and underscores, got '%s'"
                            .formatted(schema));
        }
        if (poolSize < SMALLEST_POOL) {
            throw new IllegalArgumentException(
                    "orth.database.pool-size must be at least %d, because two transactions record results and use no more than half of it (orth.callback.concurrency), got %d"
                            .formatted(SMALLEST_POOL, poolSize));
        }
        if (connectTimeout.toMillis() < 250) {
            throw new IllegalArgumentException(
                    "orth.database.connect-timeout must be at least 250ms, got " + connectTimeout);
        }
    }

    private static void requirePostgres(String key, String url) {
        if (!url.isBlank() && !url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("%s must start with jdbc:postgresql:, got '%s'".formatted(key, url));
        }
    }

    /** Returns whether this node can receive notifications: a pooler keeps no session for a listening client. */
    boolean listens() {
        return !pooler || !listenUrl.isBlank();
    }

    Optional<Path> programs() {
        return Optional.ofNullable(programsDir);
    }

    boolean embedded() {
        return url.isBlank();
    }

    @Override
    public String toString() {
        return embedded() ? "embedded PostgreSQL" : url;
    }
}
