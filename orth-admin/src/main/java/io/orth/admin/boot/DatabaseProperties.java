package io.orth.admin.boot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which database to use.
 *
 * @param url JDBC URL of a PostgreSQL server, 14 or newer; without one Orth runs its own in the data directory
 * @param user user to log in as
 * @param password that user's password
 * @param schema the schema of Orth's tables and of their Flyway history, made at the first start; an application's own may be in another
 * @param programsDir where the programs of Orth's own PostgreSQL are unpacked, which several data directories may share;
 *     without one, below the data directory
 * @param pooler whether the URL leads to a pooler that shares sessions between clients, such as PgBouncer in transaction mode
 * @param listenUrl JDBC URL of the same database that avoids the pooler, for notifications; without one Orth polls behind a pooler
 * @param poolSize the most connections for the work of this node, beside the one that listens and those that are reserved
 * @param connectTimeout how long to wait for a free connection
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

    /** Names that PostgreSQL takes without quotes, but for those of its own. */
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

    /** Whether notifications can be heard: a pooler keeps no session for a client that waits for them. */
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
