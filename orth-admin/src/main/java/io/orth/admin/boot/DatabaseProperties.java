package io.orth.admin.boot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which database to use.
 *
 * @param url JDBC URL of a PostgreSQL server, 14 or newer; without one Orth runs its own in the data directory
 * @param user user to log in as
 * @param password that user's password
 * @param programsDir where the programs of Orth's own PostgreSQL are unpacked, which several data directories may share;
 *     without one, below the data directory
 * @param poolSize the most connections for the work of this node, beside those that listen and those that are reserved
 * @param connectTimeout how long to wait for a free connection
 */
@ConfigurationProperties("orth.database")
record DatabaseProperties(
        @DefaultValue("") String url,
        @DefaultValue("") String user,
        @DefaultValue("") String password,
        Path programsDir,
        @DefaultValue("20") int poolSize,
        @DefaultValue("5s") Duration connectTimeout) {

    DatabaseProperties {
        if (!url.isBlank() && !url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "orth.database.url must start with jdbc:postgresql:, got '%s'".formatted(url));
        }
        if (poolSize < 2) {
            throw new IllegalArgumentException("orth.database.pool-size must be at least 2, got " + poolSize);
        }
        if (connectTimeout.toMillis() < 250) {
            throw new IllegalArgumentException(
                    "orth.database.connect-timeout must be at least 250ms, got " + connectTimeout);
        }
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
